"""``python -m bench.soak``: a live system under load for long, and what grows meanwhile.

Three scenarios: ``steady`` is a fixed rate of live messages, ``overload`` sends messages as fast as
the producer can, which is more than the pipeline can take, and ``day`` is a simulated day in fast
forward, in which the watermark and the clock of the messages pass quickly.
"""

import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, suppress
from dataclasses import asdict, dataclass
from datetime import timedelta
from pathlib import Path
from typing import Annotated, Any, Literal

import psutil
import typer
from rich.table import Table

from bench.command import new_console, run_command
from bench.environment import live_service, output_folder, temporary_environment
from bench.machine import describe_machine, time_and_load
from bench.process_usage import resident_mib
from bench.reporting.results import save
from check import run_check
from contract.errors import UserError
from contract.kafka.connections import open_consumer
from contract.kafka.log_offsets import end_offsets, has_reached
from contract.polling import poll_until
from contract.progress import READ_BACK, ProgressLog
from contract.queries import BATCHED_FROM_NEST_LOGS, Query
from contract.settings import Settings, load_settings
from demo.stack.service import Service

Scenario = Literal["steady", "overload", "day"]

RESULTS = Path(__file__).parent / "results" / "soak.json"
_SHOWN = 12
"""How many of the samples are printed."""
_INTERVAL_S = 5.0
_CATCH_UP_S = 3_600.0
_FIRST_MESSAGE_S = 300.0


_GROWS = (
    "java_mib",
    "python_mib",
    "threads",
    "open_files",
    "state_rows",
    "lake_files",
    "checkpoint_files",
)
"""What must not grow without end."""


@dataclass(frozen=True)
class Sample:
    """The pipeline at one moment; memory in MiB, lag in messages of nest-logs."""

    seconds: float
    messages: int
    lag: int
    java_mib: int
    python_mib: int
    threads: int
    open_files: int
    state_rows: int
    lake_files: int
    checkpoint_files: int


def main(
    scenario: Annotated[Scenario, typer.Argument(help="steady, overload or day.")],
    *,
    rate: Annotated[float, typer.Option(help="Messages per second, for steady.")] = 500,
    minutes: Annotated[float, typer.Option(help="How long, for steady.")] = 60,
    messages: Annotated[int, typer.Option(help="How many, for overload.")] = 1_000_000,
    speed: Annotated[float, typer.Option(help="Multiple of real time, for day.")] = 120,
    keep: Annotated[bool, typer.Option(help="Write bench/results/soak.json.")] = True,
) -> None:
    """Run the scenario, print what grew, let the pipeline catch up, and check every number."""
    console, settings = new_console(), load_settings()
    started = time.monotonic()
    samples: list[Sample] = []
    with temporary_environment(settings) as own, ExitStack() as stack:
        live = _live_settings(own, scenario, rate, speed)
        command = ["produce", *(["--messages", str(messages)] if scenario == "overload" else [])]
        pipeline = stack.enter_context(live_service("Pipeline", live, "pipeline", stop_timeout=30))
        producer = stack.enter_context(live_service("Producer", live, *command, stop_timeout=30))
        poll_until(lambda: sum(_ends(live).values()), "the first message", _FIRST_MESSAGE_S)
        seconds = {"steady": minutes * 60, "overload": _CATCH_UP_S, "day": 86_400 / speed}
        samples.extend(_samples(live, pipeline, producer, seconds[scenario]))
        producer.stop()
        behind = samples[-1].lag
        for sample in _samples(live, pipeline, None, _CATCH_UP_S):
            samples.append(sample)
            if not sample.lag:
                break
        pipeline.stop()
        verdict = run_check(live)
    console.print(_table(samples))
    figures = {
        "scenario": scenario,
        "messages": samples[-1].messages,
        "minutes": round((time.monotonic() - started) / 60, 1),
        "lag_at_the_end_of_sending": behind,
        "largest_lag": max(each.lag for each in samples),
        "growth": {name: _growth(samples, name) for name in _GROWS},
        "check_holds": verdict.holds,
    }
    console.print(figures)
    if keep:
        kept = {"samples": [asdict(each) for each in _some(samples)], **figures}
        save({"machine": describe_machine(), scenario: {**kept, **time_and_load()}}, RESULTS)
    if not verdict.holds:
        raise UserError("The check does not hold.")


def _live_settings(settings: Settings, scenario: Scenario, rate: float, speed: float) -> Settings:
    return settings.model_copy(
        update={
            "history": timedelta(days=1) if scenario == "day" else timedelta(0),
            "rate": rate if scenario == "steady" else None,
            "speed": speed if scenario == "day" else None,
            "maintenance_interval": timedelta(minutes=5),
        }
    )


def _growth(samples: list[Sample], name: str) -> float | None:
    """Return the most in the last third relative to the most in the middle third.

    None if there are too few samples.
    """
    third = len(samples) // 3
    if not third:
        return None
    middle = max(getattr(each, name) for each in samples[third : 2 * third])
    last = max(getattr(each, name) for each in samples[2 * third :])
    return float(round(last / max(middle, 1), 2))


def _samples(
    settings: Settings, pipeline: Service, producer: Service | None, seconds: float
) -> Iterator[Sample]:
    """Yield a sample every few seconds, as long as the producer runs and time is left.

    There is one at least.
    """
    began, progress = time.monotonic(), ProgressLog(READ_BACK)
    with open_consumer(settings.bootstrap_servers) as consumer:
        while True:
            if not pipeline.running():
                raise pipeline.died()
            progress.refresh(consumer)
            yield _sample(settings, pipeline, progress)
            if time.monotonic() - began >= seconds or not (producer is None or producer.running()):
                return
            time.sleep(_INTERVAL_S)  # a span between measurements, not a wait


def _sample(settings: Settings, pipeline: Service, progress: ProgressLog) -> Sample:
    ends = _ends(settings)
    committed = [progress.committed_offsets(query, ends) for query in BATCHED_FROM_NEST_LOGS]
    reached = min(sum(each.values()) for each in committed)
    root = psutil.Process(pipeline.pid)
    children = root.children(recursive=True)
    javas = [each for each in children if _name(each) == "java"]
    java_mib = sum(_of(each, lambda process: process.memory_info().rss) for each in javas) / 2**20
    latest = progress.latest.get(Query.STATS)
    folder = output_folder(settings)
    return Sample(
        round(time.monotonic()),
        sum(ends.values()),
        0 if all(has_reached(each, ends) for each in committed) else sum(ends.values()) - reached,
        round(java_mib),
        round(resident_mib(root) - java_mib),
        round(sum(_of(each, lambda process: process.num_threads()) for each in javas)),
        round(sum(_of(each, lambda process: process.num_fds()) for each in javas)),
        latest.state_rows if latest else 0,
        _files(folder / "lake"),
        _files(folder / "checkpoints"),
    )


def _of(process: psutil.Process, read: Callable[[psutil.Process], Any]) -> float:
    with suppress(psutil.Error):
        return float(read(process))
    return 0.0


def _name(process: psutil.Process) -> str:
    with suppress(psutil.Error):
        return str(process.name())
    return ""


def _files(folder: Path) -> int:
    with suppress(OSError):
        return sum(1 for path in folder.rglob("*") if path.is_file())
    return 0


def _ends(settings: Settings) -> dict[int, int]:
    return end_offsets(settings.bootstrap_servers)


def _some(samples: list[Sample]) -> list[Sample]:
    step = max(1, len(samples) // _SHOWN)
    return [*samples[:-1:step], samples[-1]]


def _table(samples: list[Sample]) -> Table:
    table = Table(*(name.replace("_", " ") for name in asdict(samples[0])))
    begin = samples[0].seconds
    for each in _some(samples):
        values: dict[str, Any] = {**asdict(each), "seconds": each.seconds - begin}
        table.add_row(*(f"{value:,.0f}" for value in values.values()))
    return table


if __name__ == "__main__":
    run_command(main)
