"""The exercises of the lab Late and out of order."""

from collections.abc import Callable, Collection, Iterable
from datetime import timedelta
from types import SimpleNamespace
from typing import Any

import orjson
from kafka.consumer.fetcher import ConsumerRecord
from pyspark.sql import functions as F

from contract.topics import CAMERA_STATS, NEST_LOGS
from examples.delta.event_time_order import stream
from labs.exercise import Wrong, call, exercise, require_whole_number
from labs.lab import Lab
from pipeline.counting import on_time
from pipeline.counting import sightings as distinct_sightings
from pipeline.report import latest_counts, read_stats_records

EVENT = "2026-03-04T10:00:00Z"
RECORDS = {
    "clock far behind": "2026-03-04T09:54:59Z",
    "clock behind": "2026-03-04T09:55:00Z",
    "at once": "2026-03-04T10:00:02Z",
    "an hour": "2026-03-04T11:00:00Z",
    "more than an hour": "2026-03-04T11:00:01Z",
}
LONG_ENOUGH = 9
"""From 10:29, the newest event of the first two files, to 2:00, the oldest of the last."""


@exercise("A set of names, as in {'at once'}.")
def counted(lab: Lab, answer: object) -> str:
    """Take the names of the records that count for their event."""
    rows = lab.spark.createDataFrame(list(RECORDS.items()), "device_id STRING, sent STRING")
    events = rows.select(
        "device_id",
        F.lit(EVENT).cast("timestamp").alias("start_time"),
        F.col("sent").cast("timestamp").alias("timestamp"),
    )
    counts = events.transform(on_time, lab.settings.lateness, lab.settings.clock_skew)
    expected = {row.device_id for row in counts.collect()}
    if isinstance(answer, str) or not isinstance(answer, Collection):
        raise Wrong(f"{answer!r} is no set. A set of names is asked, also if it has one name.")
    if unknown := set(answer) - RECORDS.keys():
        raise Wrong(f"There is no record {min(unknown)!r} among the five.")
    if too_many := set(answer) - expected:
        raise Wrong(
            f"{min(too_many)!r} does not count: it is a second beyond a limit, and a limit that "
            "gives way by a second has no end."
        )
    if missing := expected - set(answer):
        raise Wrong(f"{min(missing)!r} counts, too. Are the limits included?")
    return "that is what `on_time` says as well, which has just been asked."


@exercise("A whole number. From which event to which older one is the furthest jump back?")
def hours(lab: Lab, answer: int) -> str:
    """Take the shortest delay of a watermark, in whole hours, with which no sighting is lost."""
    require_whole_number(answer)
    if answer > LONG_ENOUGH:
        raise Wrong(
            f"Nothing is lost with {answer} hours. But Spark remembers every sighting for so long, "
            "and fewer are enough."
        )
    read = stream(lab, lab.table("sightings"), {"maxFilesPerTrigger": "1"})
    distinct = read.transform(distinct_sightings, timedelta(hours=answer))
    lost = 120 - len(lab.rows_of(distinct, lab.fresh("hours")))
    if lost:
        raise Wrong(
            f"With {answer} hours {lost} of 120 sightings are lost. The watermark is the newest "
            "event so far minus the delay, and the oldest event after it must not be older."
        )
    return f"with {answer} hours all 120 sightings are there, with {answer - 1} some are lost."


@exercise("A sighting is one camera and one moment: a pair.")
def people(lab: Lab, answer: Callable[[Iterable[ConsumerRecord]], set[Any]]) -> str:
    """Take a function that finds each sighting once, and compare it with the query's counts."""
    found = len(call(answer, lab.records(NEST_LOGS.name)))
    counts = read_stats_records(lab.spark, lab.settings).transform(latest_counts)
    (by_query,) = counts.agg(F.sum("count")).collect()[0]
    if found > by_query:
        raise Wrong(
            f"You found {found}, the query {by_query}. A home's next message tells of the same "
            "sighting again, so what names the message must not be in the set."
        )
    if found < by_query:
        raise Wrong(f"You found {found}, the query {by_query}: different sightings became one.")
    at_once = {"has_person": True, "start_time": EVENT}
    two = {name: {"device_id": name, "last_event": at_once} for name in ("front", "back")}
    record = SimpleNamespace(value=orjson.dumps({"devices": {"cameras": two}}), offset=0)
    if len(answer([record])) != len(two):
        raise Wrong(
            f"{found} is right, by luck: when two cameras see somebody in the same millisecond, "
            "you count one."
        )
    return f"{found} by hand, {by_query} in {CAMERA_STATS.name}."
