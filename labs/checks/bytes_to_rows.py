"""The exercises of the lab Bytes to rows."""

import json
from collections.abc import Callable

from pyspark.sql import DataFrame
from pyspark.sql import functions as F
from pyspark.sql.types import StringType, StructType

from contract.message import MESSAGE_SCHEMA
from examples.kafka.schema_file import camera_fields, cameras
from examples.playground import Record
from labs.exercise import AnswerFailed, Wrong, call, exercise
from labs.lab import Lab
from pipeline.parsing.parser import RejectionParser, parse_records
from pipeline.schema import camera_schema, message_schema

FIELD, LEVEL = "battery_level", 87
HEADER = b"\x00\x00\x00\x00\x07"
OTHER_HEADER = b"\x00\x00\x01{\xc8"
"""Of schema 97,224: a byte of its number is a bracket as text, and another one is no UTF-8."""


@exercise("The name is the one in the message; step 2 shows how the file spells types.")
def new_field(lab: Lab, answer: dict[str, object]) -> str:
    """Take a field of a schema file and read messages with it."""
    document = json.loads(MESSAGE_SCHEMA.read_text())
    camera_fields(document).append(answer)
    try:
        schema = StructType.fromJson(document)
    except Exception as error:
        raise Wrong(
            f"Spark knows no type {answer.get('type')!r}. In schema files types have their long "
            "names: boolean, string, timestamp, and for whole numbers?"
        ) from error
    rows = cameras(_with_battery(lab), schema)
    if FIELD not in rows.columns:
        raise Wrong(
            f"the column {answer.get('name')} is there and always null: no camera sends a field "
            "of that name. It has to be spelled exactly as in the message."
        )
    levels = [row[FIELD] for row in rows.collect()]
    if any(isinstance(level, str) for level in levels):
        raise Wrong(f"now the level is the text {levels[0]!r}: as text, '9' is more than '87'.")
    if any(not isinstance(level, int) or isinstance(level, bool) for level in levels):
        raise Wrong(f"the level reads as {levels[0]!r}. It is a whole number.")
    return f"{len(levels)} rows, each with level {levels[0]}, and no line of code has changed."


def _with_battery(lab: Lab) -> DataFrame:
    """Return the texts of messages whose cameras send the level of their battery."""
    documents = [json.loads(each.value or b"") for each in lab.messages(5)]
    for document in documents:
        for camera in document["devices"]["cameras"].values():
            camera[FIELD] = LEVEL
    rows = [(json.dumps(document),) for document in documents]
    return lab.spark.createDataFrame(rows, "value STRING")


@exercise("`value[n:]` leaves out the first n bytes, and `decode()` makes text of bytes.")
def payload(lab: Lab, answer: Callable[[bytes], str]) -> str:
    """Take a function from the bytes of a value to its text, and use it as a UDF."""
    value = lab.messages(1)[0].value or b""
    text = call(answer, HEADER + value)
    if not isinstance(text, str):
        raise Wrong(f"this gives {type(text).__name__}, and from_json wants text (str).")
    if text.encode().startswith(HEADER):
        raise Wrong("the five bytes are still there: this is not JSON yet.")
    if text.encode() != value:
        raise Wrong(f"the text begins with {text[:3]!r}. A document begins with {{.")
    if _text_or_none(answer, OTHER_HEADER + value) != value.decode():
        raise Wrong(
            f"right for {HEADER!r}, schema 7, and wrong for {OTHER_HEADER!r}, schema 97,224. The "
            "four bytes are a number and no text, and each may be any byte: leave out five bytes "
            "before you decode."
        )
    topic = lab.topic(lab.fresh("framed"))
    lab.send(topic, [Record(HEADER + (each.value or b"")) for each in lab.messages(20)])
    records = lab.read_batch().option("subscribe", topic).load()
    texts = records.select(F.udf(answer, StringType(), useArrow=False)("value").alias("value"))
    return f"as a UDF it gives {cameras(texts, message_schema()).count()} rows of 20 messages."


def _text_or_none(answer: Callable[[bytes], str], value: bytes) -> object:
    """Return what an answer gives, and None where it raises an error."""
    try:
        return call(answer, value)
    except AnswerFailed:
        return None


_WHY = {
    "hello": "hello is text, but no JSON document.",
    "cut off": "the record ends in the middle: it is no whole JSON document.",
    "two in one": "a record is exactly one document. With two, which one was meant?",
    "no device_id": "the document is fine, but this one camera is nobody's.",
    "wrong type": "only is_online is wrong: the rest of the camera can be kept.",
    "new field": "senders are always newer than readers, so an unknown field is no error.",
}


@exercise("Go through the table of reasons from above for each record.")
def reasons(lab: Lab, answer: dict[str, str]) -> str:
    """Take the reason for which each of the strange records is refused."""
    message = lab.messages(6)[5]
    values = _strange(message.value or b"")
    records = lab.spark.createDataFrame(
        [(bytearray(value), 0, n) for n, value in enumerate(values.values())],
        "value BINARY, partition INT, offset BIGINT",
    ).withColumn("timestamp", F.timestamp_millis(F.lit(message.timestamp)))
    judge = RejectionParser(camera_schema(), lab.settings.clock_skew)
    found = {row.offset: row.reason for row in parse_records(records, judge).collect()}
    expected = {name: found.get(n, "none") for n, name in enumerate(values)}
    wrong = [name for name in expected if answer.get(name) != expected[name]]
    if wrong:
        right, first = len(values) - len(wrong), wrong[0]
        given, why = str(answer.get(first)).strip(), _WHY[first]
        if given.lower() == expected[first]:
            why = (
                f"{given!r} is the right reason, and its name is in lower case: {given.lower()!r}."
            )
        raise Wrong(f"{right} of {len(values)} are right. Look at {first!r}: {why}")
    return "that is what the pipeline's parser says, too."


def _strange(value: bytes) -> dict[str, bytes]:
    """Return the strange records of the notebook by name."""

    def changed(**fields: object) -> bytes:
        document = json.loads(value)
        for camera in document["devices"]["cameras"].values():
            camera.update(fields)
        return json.dumps(document).encode()

    return {
        "hello": b"hello",
        "cut off": value[:500],
        "two in one": value + value,
        "no device_id": changed(device_id=None),
        "wrong type": changed(is_online="yes"),
        "new field": changed(**{FIELD: LEVEL}),
    }
