"""The exercises of the lab People, not messages."""

from collections import Counter
from collections.abc import Callable
from datetime import datetime
from typing import Any

import orjson
from pyspark.sql import DataFrame
from pyspark.sql import functions as F

from contract.instants import whole_hour
from contract.stats import UNPLACED
from examples.playground import HOMES, SEED
from labs.exercise import Wrong, call, exercise
from labs.lab import Lab
from pipeline.counting import person_events
from pipeline.locations import read_locations
from pipeline.parsing.parser import CameraParser, parse_records
from pipeline.queries.stats import sighting_counts
from pipeline.schema import sighting_schema
from pipeline.timestamp_formats import MILLISECONDS
from producer.world.homes import build_home

TOPIC = "morning"

Counts = dict[tuple[str, datetime], int]


@exercise("Two columns. Which of the three change when a message is sent again?")
def same_person(lab: Lab, answer: list[str]) -> str:
    """Take the columns in which the rows of one person are alike."""
    columns = set(answer)
    events = person_events(_cameras(lab))
    unknown = columns - set(events.columns)
    if unknown:
        raise Wrong(f"events has no column {unknown.pop()}.")
    left = events.dropDuplicates(sorted(columns)).count()
    if "timestamp" in columns:
        raise Wrong(
            f"this leaves {left} rows: with the time of sending in it, nearly each message of the "
            "same event counts anew."
        )
    if columns == {"device_id"}:
        raise Wrong(f"this leaves {left} rows, one for each camera: it sees only one person ever.")
    if columns == {"start_time"}:
        raise Wrong(
            f"this leaves {left} rows, but two cameras may see somebody in the same moment, and "
            "then one of them is lost."
        )
    if columns != {"device_id", "start_time"}:
        raise Wrong(f"this leaves {left} of {events.count()} rows: take two columns.")
    return f"of {events.count()} rows {left} are left, one for each camera and moment."


@exercise("Four steps: in time, each person once, the place, the count.")
def report(lab: Lab, answer: Callable[[DataFrame, DataFrame], DataFrame]) -> str:
    """Take a function from events and locations to counts, and compare it with a hand count."""
    cameras = _cameras(lab)
    found = call(answer, person_events(cameras), _locations(lab))
    missing = {"zip_code", "window", "count"} - set(found.columns)
    if missing:
        raise Wrong(f"the result has no column {', '.join(sorted(missing))}: {found.columns}.")
    counts = {(row.zip_code, _utc(row.window.start)): row["count"] for row in found.collect()}
    expected, late = _by_hand(lab)
    total, people = sum(counts.values()), sum(expected.values())
    nobody = sum(n for (zip_code, _), n in expected.items() if zip_code == UNPLACED)
    if total > people + late:
        raise Wrong(
            f"it counts {total} people, and by hand there are {people}: these are messages. The "
            "same person is in it many times."
        )
    if total == people + late:
        raise Wrong(f"it counts {total}, {late} too many: the one who came too late is in it.")
    if total == people - nobody:
        raise Wrong(f"it counts {total} of {people} people. Who has no place? See step 5.")
    if None in {zip_code for zip_code, _ in counts}:
        raise Wrong(f"the sum is {total}, but a zip code is null: it should be `unknown`.")
    if total == people and counts != expected:
        raise Wrong(
            "the sum is right, but people are in the wrong hours: count by the time when the event "
            "began, not by the time when it was sent."
        )
    if counts != expected:
        raise Wrong(f"it counts {total} people, and by hand there are {people}.")
    return f"{total} people, as by hand, each in the right zip code and hour."


@exercise("What is a count about? Its key is that, no more and no less.")
def key(lab: Lab, answer: list[str]) -> str:
    """Take the columns of the key, and fold two rounds of counts by it."""
    columns = list(dict.fromkeys(answer))
    rounds = [_counts(lab, _cameras(lab).where("timestamp < '2026-03-04 15:38:00'"))]
    rounds.append(_counts(lab, _cameras(lab)))
    if set(columns) - set(rounds[0].columns):
        raise Wrong(f"counts has the columns {', '.join(rounds[0].columns)}.")
    text = F.to_json(F.struct(*columns), {"timestampFormat": MILLISECONDS})
    folded: dict[str, int] = {}
    for counts in rounds:
        folded |= {
            row.key: row["count"] for row in counts.select(text.alias("key"), "count").collect()
        }
    total, right = sum(folded.values()), rounds[-1].agg(F.sum("count")).collect()[0][0]
    if "count" in columns:
        raise Wrong(
            f"the last records add up to {total}, and there are {right} people. A count that has "
            "grown gets another key, so the old one is never replaced."
        )
    if set(columns) != {"zip_code", "window"}:
        raise Wrong(
            f"the last records add up to {total} of {right} people: counts of different "
            f"{'hours' if 'window' not in columns else 'zip codes'} have the same key, and only "
            "the last one stays."
        )
    return f"the last records of all keys add up to {total}, and that is everybody."


def _cameras(lab: Lab) -> DataFrame:
    records = lab.read_batch().option("subscribe", TOPIC).load()
    cameras = parse_records(records, CameraParser(sighting_schema()))
    return lab.fact("cameras", cameras.persist)


def _locations(lab: Lab) -> DataFrame:
    path = lab.settings.device_locations
    return lab.fact("locations", lambda: read_locations(lab.spark, path))


def _counts(lab: Lab, cameras: DataFrame) -> DataFrame:
    return sighting_counts(cameras, _locations(lab), lab.settings)


def _by_hand(lab: Lab) -> tuple[Counts, int]:
    """Count in plain Python; also the people who came too late."""
    places = {
        camera.device_id: home.place.zip_code
        for home in (build_home(SEED, number) for number in range(HOMES))
        for camera in home.cameras
    }
    every, in_time = set(), set()
    for record in lab.records(TOPIC):
        sent = datetime.fromtimestamp(record.timestamp / 1000).astimezone()
        for camera in orjson.loads(record.value)["devices"]["cameras"].values():
            event: dict[str, Any] = camera.get("last_event") or {}
            if not event.get("has_person"):
                continue
            start = datetime.fromisoformat(event["start_time"])
            every.add((camera["device_id"], start))
            if -lab.settings.clock_skew <= sent - start <= lab.settings.lateness:
                in_time.add((camera["device_id"], start))
    counts = Counter((places.get(device, UNPLACED), whole_hour(start)) for device, start in in_time)
    return dict(counts), len(every - in_time)


def _utc(moment: datetime) -> datetime:
    """Return an instant of Spark's, which comes in the machine's own time zone, with its zone."""
    return moment.astimezone()
