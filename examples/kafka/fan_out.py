"""One exploded DataFrame of cameras starts several queries.

You should see two queries from the same lines of code, one that archives all cameras to Delta and
one that sends those that saw a person to Kafka. Each reads the topic on its own. The second has
both the option ``topic`` and a column ``topic``: the option wins.
"""

from dataclasses import dataclass

from pyspark.sql import functions as F

from examples.playground import Playground
from pipeline.parsing.parser import CameraParser, parse_records
from pipeline.schema import camera_schema

ROWS = ("A16",)


@dataclass(frozen=True)
class Observed:
    """Records that each query read, and rows in each place afterwards."""

    records_read: list[int]
    archived: int
    archived_with_person: int
    sent_to_the_option: int
    sent_to_the_column: int


def run(playground: Playground) -> Observed:
    """Start both queries, at the same time, and let them read to the end."""
    source = playground.topic("fan-out")
    by_option, by_column = playground.topic("by-option"), playground.topic("by-column")
    playground.send(source, playground.messages(20))

    cameras = (
        playground.read_stream()
        .option("subscribe", source)
        .option("startingOffsets", "earliest")
        .load()
        .transform(parse_records, CameraParser(camera_schema()))
    )
    archive = (
        cameras.writeStream.format("delta")
        .option("checkpointLocation", playground.checkpoint("archive"))
        .option("path", playground.table("camera"))
    )
    people = cameras.where("last_event.has_person").select(
        F.col("device_id").alias("key"),
        F.col("name_long").alias("value"),
        F.lit(by_column).alias("topic"),
    )
    alarm = playground.to_kafka(people.writeStream, "people").option("topic", by_option)
    queries = playground.run_all_to_end([archive, alarm])

    archived = playground.spark.read.format("delta").load(playground.table("camera"))
    observed = Observed(
        records_read=[sum(p["numInputRows"] for p in query.recentProgress) for query in queries],
        archived=archived.count(),
        archived_with_person=archived.where("last_event.has_person").count(),
        sent_to_the_option=len(playground.records(by_option)),
        sent_to_the_column=len(playground.records(by_column)),
    )
    playground.show("Two queries of one DataFrame", [vars(observed)])
    playground.say(
        "A DataFrame is a plan, not data: each query reads and parses for itself and keeps its own "
        "checkpoint, so that one can fail without the other. To read once and write to several "
        "tables, use foreachBatch, as pipeline/queries/archive.py does."
    )
    return observed
