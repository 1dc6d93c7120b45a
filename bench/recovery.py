"""What a contender does after a kill: killed once in the middle, started again, and recounted."""

import os
import signal
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import asdict, dataclass
from pathlib import Path

from deltalake.exceptions import TableNotFoundError

from bench.contenders.registry import CONTENDERS
from bench.environment import clear_outputs, output_folder, with_output_folder
from bench.recount import Expected, counts_in_topic
from bench.rounds import contender_process, end_of_log
from bench.verification import archived_rows, check_errors, distinct_rows, output_errors
from contract.errors import UserError
from contract.polling import poll_until
from contract.print_line import PrintLine
from contract.settings import Settings

_KILLED_AT = 0.4
"""Share of the archive's rows that are committed when the kill comes."""
_BATCHES = 10
"""The pipeline's batches in a run that is killed; otherwise it might commit only at the end."""
_WITHIN_S = 1800.0


@dataclass(frozen=True)
class Recovery:
    """A contender's whole process on an empty lake, and its results after a kill."""

    cold_s: float
    """From the start of the process to its end, after one run over the topic."""
    killed_at: float
    """The share of the rows that were committed at the kill."""
    after_kill: str
    """``exact``, or what is there too often or too rarely."""

    def as_json(self) -> dict[str, object]:
        """Return the figures as the results keep them."""
        return asdict(self)


def measure_recovery(name: str, settings: Settings, expected: Expected, say: PrintLine) -> Recovery:
    """Run a contender once in a process of its own, then again with a kill in the middle."""
    own_settings = with_output_folder(settings, output_folder(settings) / f"{name}-cold")
    clear_outputs(own_settings)
    began = time.perf_counter()
    _run_to_the_end(name, own_settings)
    cold_s = round(time.perf_counter() - began, 1)
    if errors := output_errors(name, own_settings, expected):
        raise UserError(f"{name} is wrong without a kill: {'; '.join(errors)}")
    clear_outputs(own_settings)

    folder = output_folder(settings) / f"{name}-killed"
    batch = {"max_offsets_per_trigger": max(1, expected.records // _BATCHES)}
    own_settings = with_output_folder(settings.model_copy(update=batch), folder)
    clear_outputs(own_settings)
    killed_at = _kill_in_the_middle(name, own_settings, expected)
    try:
        _run_to_the_end(name, own_settings)
    except UserError as error:
        after_kill = "does not start again"
        say(str(error))
    else:
        after_kill = _verdict(name, own_settings, expected)
    clear_outputs(own_settings)
    say(f"{name:<13}{cold_s:>6.1f} s as a process; killed at {killed_at:.0%}, then: {after_kill}")
    return Recovery(cold_s, round(killed_at, 2), after_kill)


def describe_differences(
    rows: int, distinct: int, expected: int, counted: int, expected_counted: int
) -> str:
    """Say what is there too often or too rarely; ``exact`` if nothing is."""
    amounts = {
        "doubles {:,} rows": rows - distinct,
        "loses {:,} rows": expected - distinct,
        "counts {:,} sightings too many": counted - expected_counted,
        "counts {:,} sightings too few": expected_counted - counted,
    }
    return ", ".join(text.format(n) for text, n in amounts.items() if n > 0) or "exact"


def _verdict(name: str, settings: Settings, expected: Expected) -> str:
    """Compare with the recount, and run the whole check if the sums are right."""
    found = describe_differences(
        archived_rows(CONTENDERS[name], settings) or 0,
        distinct_rows(CONTENDERS[name], settings),
        expected.cameras,
        sum(counts_in_topic(settings).values()),
        sum(expected.sighting_counts.values()),
    )
    if found != "exact":
        return found
    errors = output_errors(name, settings, expected) + check_errors(name, settings)
    return "; ".join(errors) or "exact"


def _kill_in_the_middle(name: str, settings: Settings, expected: Expected) -> float:
    """Start a contender and kill it when enough rows are committed; return their share."""

    def committed() -> float:
        with suppress(FileNotFoundError, TableNotFoundError):
            return (archived_rows(CONTENDERS[name], settings) or 0) / expected.cameras
        return 0.0

    with _process(name, settings) as (process, log):
        poll_until(
            lambda: committed() >= _KILLED_AT or process.poll() is not None,
            f"{_KILLED_AT:.0%} of the rows of {name}",
            _WITHIN_S,
        )
        if process.poll() is not None:
            raise UserError(f"{name} ended before it could be killed:\n{end_of_log(log)}")
    return committed()


def _run_to_the_end(name: str, settings: Settings) -> None:
    """Run a contender once; UserError with the end of its log if it fails."""
    with _process(name, settings) as (process, log):
        if process.wait(_WITHIN_S):
            raise UserError(f"The contender {name} failed:\n{end_of_log(log)}")


@contextmanager
def _process(name: str, settings: Settings) -> Iterator[tuple[subprocess.Popen[str], Path]]:
    """Start a contender's process for one run; give it with its log. The end kills what runs."""
    folder = output_folder(settings)
    log = folder.with_suffix(".log")
    with (
        log.open("w") as errors,
        contender_process(name, settings, errors, in_own_group=True) as process,
    ):
        if process.stdin is None:
            raise AssertionError("it is a pipe")
        print(folder, file=process.stdin)
        process.stdin.close()
        try:
            yield process, log
        finally:
            if process.poll() is None:
                os.killpg(process.pid, signal.SIGKILL)
