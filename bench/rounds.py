"""Let the contenders take turns, each in a process of its own, and hold what they do to account."""

import json
import os
import subprocess
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path

from bench.figures import Contender, Timing
from bench.ground import clear, folder_of, within
from bench.proof import failed_check, wrong_with
from bench.recount import Expected
from contract.errors import UserError
from contract.settings import Settings
from demo.stack.services import environment

WARM_UP = 3
"""Rounds before those that count: so long the JVMs compile a good part of what they run."""
_LOG_END = 2000

Say = Callable[[str], None]
Run = Callable[[Path], Timing]
"""Runs a contender with lake and checkpoints in a folder."""


def take_turns(
    names: Sequence[str], settings: Settings, expected: Expected, rounds: int, say: Say
) -> dict[str, Contender]:
    """Run WARM_UP rounds, the whole check after each contender of the first, then ``rounds`` timed.

    After every run its counts and rows are compared with the recount.
    """
    contenders = {name: Contender() for name in names}
    with ExitStack() as stack:
        runs = {name: stack.enter_context(apart(name, settings)) for name in names}
        for number in range(1 - WARM_UP, rounds + 1):
            for name, run in runs.items():
                # Delta's cache in a process that lives on does not notice a table made anew.
                own = within(settings, folder_of(settings) / f"{name}-{number + WARM_UP}")
                clear(own)
                timing = run(folder_of(own))
                wrong = wrong_with(name, own, expected)
                if number == 1 - WARM_UP:
                    wrong += failed_check(name, own)
                if number > 0:
                    contenders[name].timings.append(timing)
                known = contenders[name].wrong
                known += [each for each in wrong if each not in known]
                say(
                    f"{f'round {number}' if number > 0 else 'warm-up'}  {name:<11}"
                    f"{timing.rate:>9,.0f} messages/s {timing.peak_mib:>7,.0f} MiB  "
                    f"{'; '.join(wrong) or 'right'}"
                )
                clear(own)
    return contenders


@contextmanager
def apart(name: str, settings: Settings) -> Iterator[Run]:
    """Start a contender's process, which ends with the ``with``.

    What it yields raises UserError, with the end of the process's log, when the process fails.
    """
    log = folder_of(settings) / f"{name}.log"
    with (
        log.open("w") as errors,
        subprocess.Popen(
            [sys.executable, "-m", "bench.contender", name],
            env={**os.environ, **environment(settings)},
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=errors,
            text=True,
        ) as process,
    ):
        requests, answers = process.stdin, process.stdout
        if requests is None or answers is None:
            raise AssertionError("both are pipes")

        def run(folder: Path) -> Timing:
            if process.poll() is None:
                print(folder, file=requests, flush=True)
            if not (answer := answers.readline()):
                raise UserError(f"The contender {name} failed:\n{log.read_text()[-_LOG_END:]}")
            return Timing(name, **json.loads(answer))

        yield run
