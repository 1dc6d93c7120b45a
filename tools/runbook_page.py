"""docs/runbook.md, written from the drills and alerts: what can go wrong, and what heals it."""

from collections.abc import Iterable

from bench.reporting.markdown_table import markdown_table
from demo.drills.drill import Drill
from demo.drills.registry import DRILLS
from demo.drills.service_control import as_typed
from tools.monitoring_page import alerts_section

_HEAD = """\
# Runbook

Everything here can be tried: start the demo with `nest up`, and type `nest drill NAME` in another
terminal. A drill breaks the demo in one way, and prints what it sees. Then it waits until the
archive has every message, up to a minute at the demo's rate (`NEST_ARCHIVE_MAX_DELAY`), and ends
with the check. On the page Live a band on the charts shows when it ran. `nest drill list` lists the
drills. `nest storm` lets a demo of its own go through random ones; what came of that is in
[reliability.md](reliability.md). `make docs` writes this page from the drills and the alert rules.

What a drill sends stays in the topic: a drill says so, as `kill-pipeline` does of its 500 broken
messages. They are not among the dirt that `nest check` counts.

Nothing here loses a message that Kafka has, except where the second table says so.
"""

_SURVIVED = """
## What heals by itself

"""

_REFUSED = """
## What needs a hand

The pipeline does not go on with what is broken. It says what happened, and names the command. Type
it while Kafka runs and the pipeline does not: [tables.md](tables.md) says how. In Docker put
`docker compose run --rm pipeline` in the place of `nest`, between `docker compose stop pipeline`
and `docker compose start pipeline`.

"""


def runbook_page() -> str:
    """Return the page."""
    drills = DRILLS.values()
    parts = [_HEAD, _SURVIVED, _survived(drills), _REFUSED, _refused(drills), alerts_section()]
    return "".join(parts)


def _survived(drills: Iterable[Drill]) -> str:
    return markdown_table(
        ("drill", "what happens", "what you see", "how it heals", "what it shows"),
        [
            (f"`{each.name}`", each.does, each.watch_for, each.heals, each.shows)
            for each in drills
            if each.refusal is None
        ],
    )


def _refused(drills: Iterable[Drill]) -> str:
    return markdown_table(
        ("drill", "what happens", "what the pipeline says", "what mends it", "what it does"),
        [
            (
                f"`{each.name}`",
                each.does,
                each.refusal.says,
                ", then ".join(f"`{as_typed(command)}`" for command in each.refusal.mend),
                each.heals,
            )
            for each in drills
            if each.refusal is not None
        ],
    )
