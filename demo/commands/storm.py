"""`nest storm`: a demo of its own in a storm, round by round."""

import json
from collections.abc import Iterable
from contextlib import nullcontext
from pathlib import Path

from rich.console import Console
from rich.table import Table
from rich.text import Text

from contract.settings import Settings
from demo.commands.scratch_demo import STORM, scratch_demo, scratch_settings
from demo.drills.running_demo import find_running_demo
from demo.drills.storm import StormRound, storm
from demo.stack.device_locations import with_device_locations
from demo.stack.exclusive_commands import ExclusiveCommand
from demo.stack.run_lock import RunLock
from demo.stack.signals import interruptible_as

_WORLD = {
    "homes": 60,
    "history": "10 minutes",
    "rate": 20.0,
    "archive_max_delay": "0 seconds",
    "status_trigger": "5 seconds",
}
"""A small world that is busy: a round has batches to be killed in."""


def run_storm(settings: Settings, rounds: range, console: Console, out: Path | None) -> bool:
    """Start a demo in ``settings.state``/storm, emptied first, and go through the rounds.

    Returns whether every check held; the rounds go to ``out`` as JSON lines, too. Raises
    Interrupted when a signal stops it, and UserError when the demo does not come back.
    """
    stopped = "Stopped before the last round."
    with interruptible_as(stopped), RunLock(settings.state, ExclusiveCommand.STORM).held() as lock:
        return _run(settings, rounds, console, out, lock)


def _run(
    settings: Settings, rounds: range, console: Console, out: Path | None, lock: RunLock
) -> bool:
    settings = scratch_settings(settings, STORM, _WORLD)
    demo = scratch_demo(settings)
    demo.on_spawn = lock.add
    done: list[StormRound] = []
    console.print(f"Seed {settings.seed}. A demo starts in {settings.state}.")
    # Opened first, as a demo need not start whose rounds cannot be written.
    with out.open("a", buffering=1) if out else nullcontext() as lines, demo:
        running = find_running_demo(with_device_locations(settings))
        try:
            for each in storm(running, settings.seed, rounds):
                done.append(each)
                _show(each, console)
                if lines:
                    lines.write(json.dumps(each.as_json()) + "\n")
        finally:
            if done:
                console.print(summary(done))
    return not any(each.differences for each in done)


def _show(each: StormRound, console: Console) -> None:
    verdict = ("does not hold", "bold red") if each.differences else ("holds", "green")
    console.print(
        f"Round {each.number}: {', '.join(each.actions)}. {each.records:,} records, "
        f"{each.seconds:.0f} s:",
        Text(*verdict),
        soft_wrap=True,
    )
    for difference in each.differences:
        console.print(f"  {difference}", soft_wrap=True)


def summary(rounds: Iterable[StormRound]) -> Table:
    """Return how often each action was taken, over all rounds."""
    rounds = list(rounds)
    counts: dict[str, int] = {}
    for each in rounds:
        for action in each.actions:
            counts[action] = counts.get(action, 0) + 1
    held = sum(not each.differences for each in rounds)
    title = f"The check held in {held} of {len(rounds)} rounds."
    table = Table("action", "times", title=title, min_width=len(title))
    for action, times in sorted(counts.items(), key=lambda item: -item[1]):
        table.add_row(action, str(times))
    return table
