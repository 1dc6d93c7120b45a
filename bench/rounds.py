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
from demo.lineup import environment

_LOG_END = 2000

Say = Callable[[str], None]
Run = Callable[[Path], Timing]
"""Runs a contender with lake and checkpoints in a folder."""


def take_turns(
    names: Sequence[str], settings: Settings, expected: Expected, rounds: int, say: Say
) -> dict[str, Contender]:
    """Run a round to warm up, with the whole check after each contender, then ``rounds`` timed.

    After every run its counts and rows are compared with the recount.
    """
    contenders = {name: Contender() for name in names}
    with ExitStack() as stack:
        runs = {name: stack.enter_context(apart(name, settings)) for name in names}
        for number in range(rounds + 1):
            for name, run in runs.items():
                # Delta's cache in a process that lives on does not notice a table made anew.
                own = within(settings, folder_of(settings) / f"{name}-{number}")
                clear(own)
                timing = run(folder_of(own))
                wrong = wrong_with(name, own, expected)
                if number == 0:
                    wrong += failed_check(name, own)
                else:
                    contenders[name].timings.append(timing)
                known = contenders[name].wrong
                known += [each for each in wrong if each not in known]
                say(
                    f"{f'round {number}' if number else 'warm-up'}  {name:<11}"
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
