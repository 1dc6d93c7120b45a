"""Write the pages of docs that list what is in the code, such as commands, drills and terms.

``make docs`` runs it. With ``--check`` it writes nothing and exits with an error if a page is not
what it would write; ``make lint`` runs it so.
"""

import argparse
import sys
import tempfile
from html import unescape
from pathlib import Path

import typer
from typer.cli import get_docs_for_click

from bench.reporting.markdown_table import markdown_table
from bench.scaling.page import kept_scaling_page
from demo.cli import app
from demo.commands.settings import settings_page
from tools.glossary_page import glossary_page
from tools.monitoring_page import monitoring_page
from tools.runbook_page import runbook_page

DOCS = Path(__file__).parent.parent / "docs"

IN_DOCKER = {
    "up": "`docker compose up`",
    "run": "not in Docker, as it starts a Kafka of its own",
    "broker": "`docker compose up kafka`",
    "cluster": (
        "`docker compose -f docker-compose.yml -f docker-compose.cluster.yml up`, see "
        "[cluster.md](cluster.md#the-same-in-docker)"
    ),
    "topics": "`docker compose run --rm topics`",
    "produce": "`docker compose up producer`",
    "pipeline": "`docker compose up pipeline`",
    "pipeline --rebuild-counts": (
        "`docker compose stop pipeline`, `docker compose run --rm pipeline pipeline "
        "--rebuild-counts`, `docker compose start pipeline`"
    ),
    "repair": (
        "`docker compose stop pipeline`, `docker compose run --rm pipeline repair archive`, "
        "`docker compose start pipeline`"
    ),
    "maintain": "`docker compose run --rm pipeline maintain`",
    "history": "`docker compose exec dashboard python -m demo.cli history camera`",
    "restore": (
        "`docker compose stop pipeline`, `docker compose run --rm pipeline restore camera "
        "--version 12`, `docker compose start pipeline`"
    ),
    "backfill": "`docker compose run --rm pipeline backfill --from ... --to ...`",
    "forget": (
        "`docker compose stop pipeline`, `docker compose run --rm pipeline forget --structure ID`, "
        "`docker compose start pipeline`"
    ),
    "dashboard": "`docker compose up dashboard`",
    "metrics": "`docker compose --profile monitoring up`, see [monitoring.md](monitoring.md)",
    "report": "`docker compose run --rm nest report`",
    "report --as-of": "`docker compose run --rm pipeline report --as-of 12`",
    "check": "`docker compose run --rm nest check`",
    "send": "`docker compose run --rm nest send`",
    "tail": "`docker compose run --rm nest tail TOPIC`",
    "example": "`docker compose run --rm labs python -m demo.cli example NAME`",
    "drill": "`docker compose run --rm drill kill-pipeline`",
    "storm": "not in Docker, as it starts a demo of its own",
    "doctor": "`docker compose run --rm nest doctor`",
    "ready": "`docker compose up --detach --wait`",
    "reset": "`docker compose --profile monitoring --profile labs down --volumes`",
    "jars": "not needed, as the image of the pipeline has them",
    "credentials": "by `docker-compose.secure.yml`, see [security.md](security.md)",
    "rights": "`docker compose run --rm nest rights`",
    "device-locations": "`docker compose run --rm places`",
    "settings": "`docker compose run --rm nest settings`",
}
"""What to type where the demo runs in Docker, by command."""

_HEAD = """\
# Commands

`make setup` installs the command as `.venv/bin/nest`. To type `nest` alone, as these pages and all
messages do, activate the environment once in each terminal:

    . .venv/bin/activate

In Docker nothing is installed; the last column says what to type instead. `make docs` writes this
page from the command line itself.
"""


def commands_page() -> str:
    """Return docs/commands.md: a table of all commands, then the options of each."""
    group = typer.main.get_group(app)
    context = typer.Context(group, info_name="nest")
    # A cell of the table has no room for more than the first paragraph.
    help_of = {
        name: (each.help or "").strip().split("\n\n")[0] for name, each in group.commands.items()
    }
    help_of["report --as-of"] = "Print the report of the archive as it was at a version or time."
    help_of["pipeline --rebuild-counts"] = "Delete the counts, to count from the first message."
    rows = [(f"`nest {name}`", help_of[name], in_docker) for name, in_docker in IN_DOCKER.items()]
    table = markdown_table(("command", "what it does", "in Docker"), rows)
    details = "".join(
        get_docs_for_click(obj=command, ctx=context, name=name, call_prefix="nest", indent=1)
        for name, command in group.commands.items()
    )
    return f"{_HEAD}\n{table}\n{unescape(details).strip()}\n"


def write_pages(folder: Path = DOCS) -> None:
    """Write the pages to a folder."""
    (folder / "commands.md").write_text(commands_page(), encoding="utf-8")
    (folder / "settings.md").write_text(settings_page(), encoding="utf-8")
    (folder / "runbook.md").write_text(runbook_page(), encoding="utf-8")
    (folder / "monitoring.md").write_text(monitoring_page(), encoding="utf-8")
    (folder / "scaling.md").write_text(kept_scaling_page(), encoding="utf-8")
    (folder / "glossary.md").write_text(glossary_page(), encoding="utf-8")


def outdated_pages(folder: Path = DOCS) -> list[str]:
    """Return the names of those pages in a folder that are not what ``write_pages`` writes."""
    with tempfile.TemporaryDirectory() as name:
        write_pages(Path(name))
        pages = sorted(Path(name).iterdir())
        return [page.name for page in pages if not _is_same(page, folder / page.name)]


def _is_same(page: Path, kept: Path) -> bool:
    return kept.exists() and kept.read_bytes() == page.read_bytes()


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--check", action="store_true", help="only compare what is there")
    if not parser.parse_args().check:
        write_pages()
    elif outdated := outdated_pages():
        sys.exit(f"In docs, no longer what the code says: {', '.join(outdated)}. Run `make docs`.")
