"""The generated parts of docs/scaling.md: its tables, calculated from the kept results."""

import json
from collections.abc import Callable
from datetime import timedelta
from pathlib import Path

from bench.reporting.markdown_table import markdown_table
from bench.reporting.results import LATEST, Results
from bench.scaling.limits import in_order
from bench.scaling.load import home_load
from bench.scaling.measurements import Measurements, measurements
from bench.scaling.needs import (
    ARCHIVE_TRIGGER_S,
    HEADROOM,
    PATIENCE,
    REPLICAS,
    STATS_TRIGGER_S,
    STATUS_TRIGGER_S,
    WATERMARK_S,
    Needs,
)
from contract.duration import format_duration

PAGE = Path(__file__).parents[2] / "docs" / "scaling.md"
SIZES = (10_000, 1_000_000, 100_000_000)
_RESULTS = "[latest.json](../bench/results/latest.json)"
_EXPERIMENTS = "[performance-experiments.md](performance-experiments.md)"

_NOT_MEASURED = "**Not measured yet.**\n"


def scaling_page(results: Results, text: str) -> str:
    """Return the page with its generated parts written anew; the rest of ``text`` stays.

    Everything stays if the results lack a part, as after a benchmark of some contenders.
    """
    if not _suffice(results):
        return text
    measured = measurements(results, home_load())
    parts = {
        "needs": _needs(measured),
        "limits": _limits(measured),
        "cluster": _cluster(results),
        "figures": _inputs(results, measured),
    }
    for name, part in parts.items():
        begin, end = f"<!-- {name}: written by make docs -->", f"<!-- end of {name} -->"
        head, rest = text.split(begin, 1)
        _, tail = rest.split(end, 1)
        text = f"{head}{begin}\n\n{part}\n{end}{tail}"
    return text


def kept_scaling_page() -> str:
    """Return the page from the kept results."""
    return scaling_page(json.loads(LATEST.read_text()), PAGE.read_text(encoding="utf-8"))


def write_page(results: Results) -> None:
    """Write the page from the results."""
    PAGE.write_text(scaling_page(results, PAGE.read_text(encoding="utf-8")), encoding="utf-8")


def _suffice(results: Results) -> bool:
    has_parts = {"contenders", "producer", "freshness", "growth"} <= results.keys()
    return has_parts and "both" in results["contenders"] and len(results["freshness"]) > 1


def _needs(measured: Measurements) -> str:
    hours = WATERMARK_S / 3600
    cells: dict[str, Callable[[Needs], str]] = {
        "messages a second, busiest hour": lambda n: _number(n.messages_s),
        "messages a day": lambda n: _number(n.messages_a_day),
        "into Kafka": lambda n: f"{_bytes(n.ingest_bytes_s)}/s",
        f"disk of all brokers for a day, {REPLICAS} replicas": lambda n: _bytes(
            n.kafka_bytes_a_day
        ),
        "brokers, at most": lambda n: _number(n.brokers),
        "partitions of `nest-logs`, and slots for `sightings`": lambda n: _number(n.partitions),
        "**cores for the pipeline**": lambda n: f"**{_number(n.cores)}**",
        "of these busy with messages": lambda n: _number(n.busy_cores),
        f"busy with eviction, at a trigger of {STATS_TRIGGER_S:g} s": lambda n: _number(
            n.eviction_cores
        ),
        "busy with the MERGE of `camera_status`": lambda n: _number(n.merge_cores),
        f"**cores** with `NEST_STATS_TRIGGER` of {_patient(STATS_TRIGGER_S)}, "
        f"`NEST_STATUS_TRIGGER` of {_patient(STATUS_TRIGGER_S)}": (
            lambda n: f"**{_number(n.patient_cores)}**"
        ),
        f"sightings in the state ({hours:g} hours)": lambda n: _number(n.state_sightings),
        "the same on a heap": lambda n: _bytes(n.state_bytes),
        "cameras": lambda n: _number(n.cameras),
        "table of places, as a file": lambda n: _bytes(n.locations_bytes),
        "broadcasting it once": lambda n: _time(n.broadcast_s),
        "files of the archive a day, before OPTIMIZE": lambda n: _number(n.archive_files),
        "the archive's day": lambda n: _bytes(n.archive_bytes),
        "`camera_status` writes a day": lambda n: _bytes(n.status_bytes_a_day),
        "counts a day, at most": lambda n: _number(n.counts_a_day),
        "a reader folds a day's counts in": lambda n: _time(n.read_counts_s),
        "a core checks a day in": lambda n: _time(n.check_core_s),
    }
    sizes = [Needs(homes, measured) for homes in SIZES]
    head = ("", *(f"{homes:,} homes" for homes in SIZES))
    choice = f"Cores, brokers and tasks are busy to {HEADROOM * 100:.0f} % in the busiest hour.\n\n"
    return choice + markdown_table(
        head, ((what, *map(cell, sizes)) for what, cell in cells.items())
    )


def _patient(trigger_s: float) -> str:
    """Return a trigger, as a setting, that is longer by ``PATIENCE``."""
    return format_duration(timedelta(seconds=trigger_s * PATIENCE))


def _limits(measured: Measurements) -> str:
    rows = (
        (f"{_number(homes)}", limit.part, limit.breaks, limit.change)
        for homes, limit in in_order(measured)
    )
    return markdown_table(("from so many homes", "part", "because", "change"), rows)


def _cluster(results: Results) -> str:
    """Return the figures of each layout that ``python -m bench.cluster`` has measured."""
    if "cluster" not in results:
        return _NOT_MEASURED
    measured, machine = results["cluster"], results["machine"]
    layouts = measured["layouts"]
    least = min(each["cpu_s_per_million"] for each in layouts)
    rows = (
        (
            str(each["cores"]),
            str(each["workers"]),
            str(each["partitions"]),
            _number(each["devices"]) if each["devices"] else "the demo's",
            _number(each["msg_s"]),
            f"{each['cpu_s_per_million']:.1f} µs",
            f"{each['cpu_s_per_million'] / least:.2f}",
            "yes" if each["counts_ok"] else "**no**",
        )
        for each in layouts
    )
    head = (
        "cores of executors",
        "workers",
        "partitions of nest-logs",
        "lines of device_locations",
        "messages/s",
        "processor time a message",
        "relative to the least",
        "right",
    )
    return (
        f"{measured['messages']:,} messages, {measured['rounds']} timed rounds, on a machine with "
        f"{machine['cores']} cores, {measured['at'][:10]}.\n\n{markdown_table(head, rows)}"
    )


def _inputs(results: Results, m: Measurements) -> str:
    machine = results["machine"]
    one = f"{machine['cores']} cores of {machine['processor']}"
    experiments, tables = _EXPERIMENTS, "[tables.md](tables.md)"
    world = "calculated from the default world, 1,000 homes ([load.py](../bench/scaling/load.py))"
    rows = [
        ("messages a second of a home, busiest hour", f"{m.messages_s:.5f}", world),
        ("sightings a second of a home, busiest hour", f"{m.sightings_s:.5f}", world),
        ("cameras of a home", f"{m.cameras:.2f}", world),
        ("messages a day of a home", f"{m.messages_a_day:g}", "[world.md](world.md)"),
        ("bytes of a message", f"{m.message_bytes:,}", _RESULTS),
        ("a broker takes at least", f"{_bytes(m.broker_bytes_s)}/s", f"{_RESULTS}, `producer`"),
        (
            "cores of all queries live, without messages",
            f"{m.live_fixed_cores:.2f}",
            f"{_RESULTS}, `freshness`: the line through its rates, on {one}",
        ),
        ("processor time of a message more", _time(m.live_s), "the same line"),
        (
            "folding a count",
            _time(m.read_count_s),
            f"{_RESULTS}, `growth`, the most counts",
        ),
        ("processor time of `sightings` for a message", _time(m.sightings_query_s), experiments),
        ("a sighting on the heap", f"{m.state_bytes:g} bytes", experiments),
        ("looking at a sighting for eviction", _time(m.eviction_s), experiments),
        ("writing a message's rows as Parquet", _time(m.parquet_s), experiments),
        ("a message in the archive", f"{m.archive_bytes:g} bytes", experiments),
        ("broadcasting the place of a camera", _time(m.broadcast_s), experiments),
        (
            "the place of a camera",
            f"{m.device_line_bytes:.0f} bytes",
            "[device_locations.csv](../data/device_locations.csv)",
        ),
        ("a camera in what `camera_status` writes a day", _bytes(m.status_bytes_a_day), tables),
        ("a merged file of the archive", _bytes(m.compacted_file_bytes), tables),
        ("a file in the memory of delta-rs", _bytes(m.reader_bytes_a_file), tables),
        ("messages that a core checks", f"{m.check_messages_s:,.0f}/s", "[check.md](check.md)"),
        (
            "the archive writes a batch every",
            f"{ARCHIVE_TRIGGER_S:g} s",
            "[settings.md](settings.md)",
        ),
    ]
    return markdown_table(("figure", "value", "from"), rows)


def _number(value: float) -> str:
    """Return a number with two or three digits that count, such as 2,300 or 1.2 million."""
    for unit, name in ((1e9, " billion"), (1e6, " million")):
        if value >= unit:
            return f"{value / unit:,.3g}{name}"
    if value >= 100:
        digits = len(str(int(value))) - 3
        return f"{round(value, -digits):,.0f}"
    return f"{value:.2g}" if value < 10 else f"{value:.0f}"


def _bytes(value: float) -> str:
    for unit, name in ((1e15, "PB"), (1e12, "TB"), (1e9, "GB"), (1e6, "MB"), (1e3, "kB")):
        if value >= unit:
            return f"{value / unit:,.3g} {name}"
    return f"{value:.0f} bytes"


def _time(seconds: float) -> str:
    for unit, name in ((86_400, "days"), (3600, "hours"), (60, "minutes"), (1, "s"), (1e-3, "ms")):
        if seconds >= unit:
            return f"{seconds / unit:,.3g} {name}"
    return f"{seconds * 1e6:.3g} µs"
