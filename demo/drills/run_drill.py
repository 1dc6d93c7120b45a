"""Run a drill against the running demo, and end with the check."""

import re
import time
from collections.abc import Callable
from datetime import UTC, datetime

from rich.console import Console
from rich.text import Text

from check import Verdict
from contract.errors import UserError
from contract.settings import Settings
from demo.drills.drill import Drill, Refusal
from demo.drills.running_demo import RunningDemo, find_running_demo
from demo.drills.service_control import PIPELINE, is_setting
from demo.health.check import keep_verdict, show_check
from demo.health.ready import require_ready
from demo.stack.exclusive_commands import ExclusiveCommand
from demo.stack.run_lock import RunLock
from demo.stack.signals import interruptible_as

Say = Callable[[str], None]


def run_drill(
    settings: Settings, drill: Drill, console: Console, *, in_docker: bool = False
) -> Verdict:
    """Break the demo, wait until everything that is in Kafka is counted and archived, and check it.

    Prints what is seen meanwhile. Raises UserError when no demo runs, when it is not well before,
    or when it does not come back or does not refuse as it has to, and Interrupted when a signal
    stops it before its end.
    """
    started = time.monotonic()

    def say(line: str) -> None:
        seconds = f"{time.monotonic() - started:6.1f} s "
        console.print(Text(seconds, "dim"), line, soft_wrap=True)

    stopped = "Stopped before the check. `nest ready` says how the demo does."
    with interruptible_as(stopped), RunLock(settings.state, ExclusiveCommand.DRILL).held():
        demo = find_running_demo(settings, in_docker=in_docker)
        settings = demo.settings
        name = Text(drill.name, "bold")
        console.print(name, f": {drill.does}", sep="", soft_wrap=True)
        console.print(f"You will see: {drill.watch_for}", soft_wrap=True)
        require_ready(settings, 60)
        with demo.marked(drill.name):
            if drill.refusal:
                _disturb_and_mend(demo, drill, drill.refusal, say)
            else:
                for line in drill.disturb(demo):
                    say(line)
            demo.wait_until_recovered()
        say("Everything that is in nest-logs is counted and archived. Now the check.")
        check_started_at = datetime.now(UTC)
        verdict = show_check(settings, console)
        keep_verdict(settings, verdict, check_started_at)
    if verdict.holds:
        say(f"Shown: {drill.shows}")
    return verdict


def as_typed(command: tuple[str, ...]) -> str:
    """Return a `nest` command as one types it, with its settings in front."""
    settings = [word for word in command if is_setting(word)]
    return " ".join([*settings, "nest", *command[len(settings) :]])


def _disturb_and_mend(demo: RunningDemo, drill: Drill, refusal: Refusal, say: Say) -> None:
    with demo.stopped(PIPELINE):
        say("The pipeline is stopped.")
        for line in drill.disturb(demo):
            say(line)
        begun = time.monotonic()
        ended = demo.nest("pipeline", "--once")
        seconds = time.monotonic() - begun
        if ended.exit_code == 0 or not re.search(refusal.pattern, ended.message):
            raise UserError(
                f"The pipeline had to refuse with {refusal.pattern!r}, and ended with "
                f"{ended.exit_code}:\n{ended.errors[-2000:]}"
            )
        say(f"The pipeline refuses after {seconds:.0f} s: {ended.message}")
        for command in refusal.mend:
            mended = demo.nest(*command)
            say(f"{as_typed(command)}: {mended.message}")
            if mended.exit_code:
                raise UserError(f"It ended with {mended.exit_code}:\n{mended.errors[-2000:]}")
    say("The pipeline starts again.")
