"""The same code over a stream and over a range of offsets as a batch: the same rows and counts.

You should see that a batch read of the offsets that a stream's second run has covered gives that
run's rows, and that the project's counts come out the same in both ways.
"""

import json
from dataclasses import dataclass

from pyspark.sql import DataFrame

from contract.topics import NEST_LOGS
from examples.playground import Playground
from pipeline.counting import person_events
from pipeline.locations import read_locations
from pipeline.parsing.parser import CameraParser, parse_records
from pipeline.queries.stats import camera_stats
from pipeline.schema import sighting_schema
from pipeline.source import read_records, stream_records

ROWS = ("A13",)

Event = tuple[str, str]


@dataclass(frozen=True)
class Observed:
    """Events with a person in the range, and counts by key over everything, each in both ways."""

    events_of_stream: list[Event]
    events_of_batch: list[Event]
    counts_of_stream: dict[str, str]
    counts_of_batch: dict[str, str]


def run(playground: Playground) -> Observed:
    """Let a stream read in two runs; then read as a batch what it read in the second."""
    playground.demo_topic(NEST_LOGS)
    spark, settings = playground.spark, playground.settings
    locations = read_locations(spark, settings.device_locations)
    stream = stream_records(spark, settings, records_per_task=1_000)
    messages = playground.messages(80)
    counts: dict[str, str] = {}

    def fold(batch: DataFrame, _: int) -> None:
        counts.update({row.key: row.value for row in batch.collect()})

    def run_counts() -> None:
        writer = stream.transform(camera_stats, locations, settings).writeStream
        checkpoint = playground.checkpoint("counts")
        playground.run_to_end(
            writer.outputMode("update").foreachBatch(fold).option("checkpointLocation", checkpoint)
        )

    playground.send(NEST_LOGS.name, messages[:40])
    playground.rows_of(stream.transform(_events), "events")
    run_counts()
    start = end_offsets(playground)
    playground.send(NEST_LOGS.name, messages[40:])
    of_stream = playground.rows_of(stream.transform(_events), "events")
    run_counts()
    of_batch = read_records(spark, settings, start, end_offsets(playground)).transform(_events)

    everything = read_records(spark, settings).transform(camera_stats, locations, settings)
    observed = Observed(
        events_of_stream=sorted((row.device_id, str(row.start_time)) for row in of_stream),
        events_of_batch=sorted((row.device_id, str(row.start_time)) for row in of_batch.collect()),
        counts_of_stream=counts,
        counts_of_batch={row.key: row.value for row in everything.collect()},
    )
    locations.unpersist()
    playground.say(f"The second run began at offsets {start}.")
    playground.say(
        f"Events with a person in that range: {len(observed.events_of_stream)} by the stream, "
        f"{len(observed.events_of_batch)} by the batch."
    )
    playground.show(
        "The first counts",
        [
            {
                "zip code": (key := json.loads(text))["zip_code"],
                "hour": key["window"]["start"],
                "stream": count,
                "batch": observed.counts_of_batch.get(text),
            }
            for text, count in sorted(counts.items())[:5]
        ],
    )
    playground.say("In update mode a stream gives a count again when it has grown; the last holds.")
    return observed


def end_offsets(playground: Playground) -> str:
    """Return the topic's end as the source's options take it: JSON by partition."""
    ends: dict[str, int] = {str(number): 0 for number in range(NEST_LOGS.partitions)}
    for record in playground.records(NEST_LOGS.name):
        ends[str(record.partition)] = record.offset + 1
    return json.dumps({NEST_LOGS.name: ends})


def _events(records: DataFrame) -> DataFrame:
    """Return the events with a person, one row for each record that carries one."""
    return records.transform(parse_records, CameraParser(sighting_schema())).transform(
        person_events
    )
