"""Run the contenders in rounds, each in a subprocess of its own, and verify what they write."""

import json
import os
import subprocess
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, ExitStack, contextmanager
from dataclasses import replace
from pathlib import Path
from types import MappingProxyType
from typing import TextIO

import psutil

from bench.environment import clear_outputs, output_folder, with_output_folder
from bench.figures import Runs, Timing
from bench.process_usage import cpu_seconds
from bench.recount import Expected
from bench.verification import check_errors, output_errors
from contract.errors import UserError
from contract.print_line import PrintLine
from contract.run_to_end import OUTPUT_CHARACTERS
from contract.settings import Settings
from demo.stack.environment import environment

_WARM_UP_ROUNDS = 3
"""Rounds before the timed ones. In them the JVMs compile a good part of what they run."""

RunContender = Callable[[Path], Timing]
"""Runs a contender with lake and checkpoints in a folder."""
StartContender = Callable[[str, Settings], AbstractContextManager[RunContender]]
"""Starts what runs the contender of a name."""


def contender_process(
    name: str,
    settings: Settings,
    errors: TextIO,
    variables: Mapping[str, str] = MappingProxyType({}),
    *,
    in_own_group: bool = False,
) -> subprocess.Popen[str]:
    """Start a contender's process; ``in_own_group`` with the processes that it starts."""
    return subprocess.Popen(
        [sys.executable, "-m", "bench.contender_process", name],
        env={**os.environ, **environment(settings), **variables},
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=errors,
        text=True,
        process_group=0 if in_own_group else None,
    )


def end_of_log(log: Path) -> str:
    """Return the end of what a contender's process has written, for an error of ours."""
    return log.read_text()[-OUTPUT_CHARACTERS:]


@contextmanager
def in_subprocess(
    name: str,
    settings: Settings,
    *,
    variables: Mapping[str, str] = MappingProxyType({}),
    helpers: Sequence[int] = (),
) -> Iterator[RunContender]:
    """Start a contender's process, which ends with the ``with``; yield what runs the contender.

    The process gets more environment ``variables``. The processor time of ``helpers``, processes
    that work for it, is its own, too. A run raises UserError, with the end of the process's log,
    when the process fails.
    """
    log = output_folder(settings) / f"{name}.log"
    with log.open("w") as errors, contender_process(name, settings, errors, variables) as process:
        requests, answers = process.stdin, process.stdout
        if requests is None or answers is None:
            raise AssertionError("both are pipes")

        def helped() -> float:
            return sum(cpu_seconds(psutil.Process(pid)) for pid in helpers)

        def run(folder: Path) -> Timing:
            before = helped()
            if process.poll() is None:
                print(folder, file=requests, flush=True)
            if not (answer := answers.readline()):
                raise UserError(f"The contender {name} failed:\n{end_of_log(log)}")
            timing = Timing(**json.loads(answer))
            return replace(timing, cpu_s=timing.cpu_s + helped() - before)

        try:
            yield run
        except BaseException:
            process.terminate()  # at a signal, the run that is under way is not waited for
            raise


def run_rounds(
    names: Sequence[str],
    settings: Settings,
    expected: Expected,
    rounds: int,
    say: PrintLine,
    *,
    start: StartContender = in_subprocess,
) -> dict[str, Runs]:
    """Run the warm-up rounds, then the timed rounds; in a round each contender runs once.

    The counts and rows of every run are compared with the recount. In the first warm-up round the
    whole check follows each run.
    """
    runs = {name: Runs() for name in names}
    with ExitStack() as stack:
        run = {name: stack.enter_context(start(name, settings)) for name in names}
        for number in range(1 - _WARM_UP_ROUNDS, rounds + 1):
            for name in names:
                # A new folder for each run: Delta's cache in a long-lived process does not notice
                # that a table was removed and created again.
                folder = output_folder(settings) / f"{name}-{number + _WARM_UP_ROUNDS}"
                own_settings = with_output_folder(settings, folder)
                clear_outputs(own_settings)
                timing = run[name](folder)
                errors = output_errors(name, own_settings, expected)
                if number == 1 - _WARM_UP_ROUNDS:
                    errors += check_errors(name, own_settings)
                if number > 0:
                    runs[name].timings.append(timing)
                known = runs[name].errors
                known += [error for error in errors if error not in known]
                say(
                    f"{f'round {number}' if number > 0 else 'warm-up'}  {name:<13}"
                    f"{timing.rate:>9,.0f} messages/s {timing.peak_mib:>7,.0f} MiB  "
                    f"{'; '.join(errors) or 'right'}"
                )
                clear_outputs(own_settings)
    return runs
