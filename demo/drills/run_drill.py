"""Run a drill against the running demo, and end with the check."""

import time
from datetime import UTC, datetime

from rich.console import Console
from rich.text import Text

from check import Verdict
from contract.print_line import PrintLine
from contract.settings import Settings
from demo.drills.drill import Drill, Refusal
from demo.drills.running_demo import RunningDemo, find_running_demo
from demo.drills.service_control import PIPELINE, as_typed
from demo.health.check import keep_verdict, show_check
from demo.health.ready import require_ready
from demo.stack.exclusive_commands import ExclusiveCommand
from demo.stack.run_lock import RunLock
from demo.stack.signals import interruptible_as


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


def _disturb_and_mend(demo: RunningDemo, drill: Drill, refusal: Refusal, say: PrintLine) -> None:
    with demo.stopped(PIPELINE):
        say("The pipeline is stopped.")
        for line in drill.disturb(demo):
            say(line)
        begun = time.monotonic()
        refused = demo.require_refusal("pipeline", "--once", says=refusal.pattern)
        say(f"The pipeline refuses after {time.monotonic() - begun:.0f} s: {refused.message}")
        for command in refusal.mend:
            say(f"{as_typed(command)}: {demo.require_success(*command).message}")
    say("The pipeline starts again.")
