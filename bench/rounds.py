"""Let the contenders take turns, each as a process of its own, and hold what they do to account."""

import json
import os
import subprocess
import sys
from collections.abc import Callable, Sequence

from bench.figures import Contender, Timing
from bench.ground import clear, folder_of, within
from bench.proof import failed_check, wrong_with
from bench.recount import Expected
from contract.errors import UserError
from contract.settings import Settings
from demo.lineup import environment

_LONGEST_S = 1800.0
_LOG_END = 2000

Say = Callable[[str], None]


def take_turns(
    names: Sequence[str], settings: Settings, expected: Expected, rounds: int, say: Say
) -> dict[str, Contender]:
    """Run a round to warm up, with the whole check after each contender, then ``rounds`` timed.

    After every run its counts and rows are compared with the recount.
    """
    contenders = {name: Contender() for name in names}
    for number in range(rounds + 1):
        for name in names:
            own = within(settings, folder_of(settings) / name)
            clear(own)
            timing = run_apart(name, own)
            wrong = wrong_with(name, own, expected)
            if number == 0:
                wrong += failed_check(name, own)
            else:
                contenders[name].timings.append(timing)
            contenders[name].wrong += [each for each in wrong if each not in contenders[name].wrong]
            say(
                f"{f'round {number}' if number else 'warm-up'}  {name:<11}{timing.rate:>9,.0f} "
                f"messages/s {timing.peak_mib:>7,.0f} MiB  {'; '.join(wrong) or 'right'}"
            )
            clear(own)
    return contenders


def run_apart(name: str, settings: Settings) -> Timing:
    """Run a contender in a process of its own; UserError with the end of its log if it fails."""
    log = folder_of(settings) / "log"
    with log.open("w") as errors:
        done = subprocess.run(
            [sys.executable, "-m", "bench.contender", name],
            check=False,
            env={**os.environ, **environment(settings)},
            stdout=subprocess.PIPE,
            stderr=errors,
            text=True,
            timeout=_LONGEST_S,
        )
    if done.returncode:
        raise UserError(f"The contender {name} failed:\n{log.read_text()[-_LOG_END:]}")
    return Timing(**json.loads(done.stdout.splitlines()[-1]))
