"""The exercises of the lab Where a stream begins."""

import json

from pyspark.sql import DataFrame

from examples.kafka.data_loss import delete_before
from labs.exercise import Wrong, exercise
from labs.lab import Lab
from labs.offsets import spans
from pipeline.counting import person_events
from pipeline.parsing.parser import CameraParser, parse_records
from pipeline.schema import sighting_schema

TOPIC = "homes"
FROM = 25
FIRST_RUN, SECOND_RUN = {"0": 21, "1": 19}, {"0": 31, "1": 29}
"""Where each partition ended after the first 40 messages and after all 60."""


@exercise("JSON: the topic, and for each of its partitions a number; step 2 has an example.")
def beginning(lab: Lab, answer: str) -> str:
    """Take the option that reads partition 0 from an offset on, and of partition 1 nothing."""
    if answer in {"earliest", "latest"}:
        raise Wrong(f"{answer} is for all partitions alike. To tell them apart it has to be JSON.")
    try:
        offsets = json.loads(answer)[TOPIC]
    except (ValueError, TypeError):
        raise Wrong(
            "this is not JSON. Names stand in double quotes, and so do the numbers of partitions."
        ) from None
    except KeyError:
        raise Wrong(f"the outermost name has to be the topic, {TOPIC}.") from None
    if offsets.keys() != SECOND_RUN.keys():
        raise Wrong(
            f"it names the partitions {', '.join(offsets) or 'none'}. Spark wants all of the "
            "topic's, 0 and 1: else it would have to guess for the others."
        )
    if offsets["1"] == -2:
        raise Wrong("-2 is the beginning of partition 1, so this reads all of it.")
    reader = lab.read_stream().option("subscribe", TOPIC).option("startingOffsets", answer)
    rows = lab.rows_of(reader.load(), lab.fresh("beginning"))
    found = sorted((row.partition, row.offset) for row in rows)
    if any(partition == 1 for partition, _ in found):
        raise Wrong(f"this reads {spans(rows)}, so more than what is new of partition 1.")
    if found != [(0, offset) for offset in range(FROM, SECOND_RUN["0"])]:
        raise Wrong(f"this reads {spans(rows)}, and partition 0 should begin at {FROM}.")
    return f"a new query with it reads {spans(rows)}, and of partition 1 what comes from now on."


@exercise("Step 2 printed what the second run read. The end is not included.")
def batch(lab: Lab, start: dict[str, dict[str, int]], end: dict[str, dict[str, int]]) -> str:
    """Take the offsets between which a batch reads what the stream's second run has read."""
    reader = lab.read_batch().option("subscribe", TOPIC)
    reader.option("startingOffsets", json.dumps(start)).option("endingOffsets", json.dumps(end))
    rows = reader.load().select("topic", "partition", "offset").collect()
    found = {(str(row.partition), row.offset) for row in rows}
    wanted = {(p, n) for p in FIRST_RUN for n in range(FIRST_RUN[p], SECOND_RUN[p])}
    if found == wanted:
        return f"both read {spans(rows)}. {_compared(lab, start, end)}"
    missing, extra = wanted - found, found - wanted
    if missing == {(p, end - 1) for p, end in SECOND_RUN.items()} and not extra:
        raise Wrong(
            f"this reads {spans(rows)}: the last record of each partition is missing. The end "
            "is the first offset that is not read."
        )
    if extra == {(p, start - 1) for p, start in FIRST_RUN.items()} and not missing:
        raise Wrong(
            f"this reads {spans(rows)}: one record of each partition too many. The first run had "
            "read those already."
        )
    if extra and not missing:
        raise Wrong(f"this reads {spans(rows)}, and so also what the first run had read.")
    raise Wrong(f"this reads {spans(rows)}, so {len(missing)} of the records are missing.")


@exercise("Which records does Kafka still have? Write two lists of offsets.")
def after_the_loss(lab: Lab, goes_on_with: list[int], new_query_reads: list[int]) -> str:
    """Take what a query reads after records were deleted, and what a new one reads."""
    if 3 in goes_on_with:
        raise Wrong("offsets 3 to 5 were deleted, so nobody can read them any more.")
    if goes_on_with == []:
        raise Wrong("with true the query would stop. With false it goes on with what is left.")
    if set(new_query_reads) & {0, 1, 2, 3, 4, 5}:
        raise Wrong("earliest does not mean offset 0: it is the first record that Kafka still has.")
    if goes_on_with != [6, 7] or new_query_reads != [6, 7]:
        raise Wrong(
            f"it would read {goes_on_with}, and a new one {new_query_reads}? Offsets are never "
            "given again: those that are left keep their numbers."
        )
    topic = lab.topic(lab.fresh("loss"))
    messages = lab.messages(8)
    lab.send(topic, messages[:3])
    _read(lab, topic, "old")
    lab.send(topic, messages[3:])
    delete_before(lab, topic, offset=6)
    old, new = _read(lab, topic, "old"), _read(lab, topic, "new")
    return f"Spark did it just now: the old query read {old}, a new one {new}."


def _compared(lab: Lab, start: dict[str, dict[str, int]], end: dict[str, dict[str, int]]) -> str:
    """Compare the events with a person of a range, by batch and by stream, and say what came out.

    The stream is a new one from the range's beginning on, to the end of the topic.
    """
    batch = lab.read_batch().option("subscribe", TOPIC)
    batch = batch.options(startingOffsets=json.dumps(start), endingOffsets=json.dumps(end))
    stream = lab.read_stream().options(subscribe=TOPIC, startingOffsets=json.dumps(start))
    by_batch = _people(batch.load())
    rows = lab.rows_of(_people(stream.load()), lab.fresh("people"))
    by_stream = lab.spark.createDataFrame(rows, by_batch.schema)
    missing, extra = by_batch.exceptAll(by_stream).count(), by_stream.exceptAll(by_batch).count()
    if missing or extra:
        return (
            f"But of the events with a person, {missing} are only in the batch and {extra} only in "
            "the stream. Has the topic got more records since?"
        )
    return f"The same code gave the same {len(rows)} events with a person, row by row."


def _people(records: DataFrame) -> DataFrame:
    return person_events(parse_records(records, CameraParser(sighting_schema())))


def _read(lab: Lab, topic: str, query: str) -> list[int]:
    reader = lab.read_stream().option("subscribe", topic).option("startingOffsets", "earliest")
    rows = lab.rows_of(reader.option("failOnDataLoss", False).load(), f"{topic}-{query}")
    return [row.offset for row in rows]
