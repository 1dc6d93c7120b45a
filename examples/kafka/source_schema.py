"""The fixed columns of the Kafka source, and three ways to make something of a value.

You should see the seven columns, and an eighth with the headers on request; a value as text; as
columns by ``from_json`` with the schema of a message; and by a deserializer of our own, a UDF, for
values that are compressed.
"""

import zlib
from dataclasses import dataclass

from pyspark.sql import Column
from pyspark.sql import functions as F
from pyspark.sql.types import StringType

from contract.redaction import redact_text
from examples.playground import Playground
from pipeline.schema import message_schema

ROWS = ("A4",)


@dataclass(frozen=True)
class Observed:
    """The source's columns with their types, and what was made of one message's value."""

    columns: dict[str, str]
    headers: list[tuple[str, bytes]]
    text: str
    cameras_of_json: list[str]
    cameras_of_compressed: list[str]
    no_json: object


@F.udf(StringType(), useArrow=False)
def inflate(value: bytes) -> str:
    """Deserialize a value that was compressed with zlib."""
    return zlib.decompress(bytes(value)).decode()


def run(playground: Playground) -> Observed:
    """Send a message with a header, the same compressed, and something that is no JSON."""
    plain, packed = playground.topic("plain"), playground.topic("compressed")
    message = playground.messages(1)[0]
    value = message.value or b""
    playground.send(plain, [message._replace(headers=(("dirt", b"late"),))])
    playground.send(plain, [message._replace(value=b"hello")])
    playground.send(packed, [message._replace(value=zlib.compress(value))])

    reader = playground.read_batch().option("subscribe", plain).option("includeHeaders", True)
    records = reader.load().orderBy("offset")
    compressed = playground.read_batch().option("subscribe", packed).load()
    first, no_json = records.select(
        "headers", F.col("value").cast("string").alias("text"), *_home(F.col("value"))
    ).collect()
    # In production: an Arrow UDF, or mapInArrow as in pipeline/parsing/parser.py. A UDF that takes
    # one row at a time is slower.
    of_compressed = compressed.select(*_home(inflate("value"))).first()

    observed = Observed(
        columns={field.name: field.dataType.simpleString() for field in records.schema},
        headers=[(each.key, bytes(each.value)) for each in first.headers],
        text=redact_text(first.text),
        cameras_of_json=first.cameras,
        cameras_of_compressed=of_compressed.cameras if of_compressed else [],
        no_json=no_json.cameras,
    )
    playground.show("The columns", [observed.columns])
    playground.say(f"As text, the beginning: {observed.text[:60]}...")
    playground.say(f"By from_json, the names of its cameras: {observed.cameras_of_json}")
    playground.say(f"By our own deserializer, compressed: {observed.cameras_of_compressed}")
    playground.say(
        f"What is no JSON gives {observed.no_json} and no error. The pipeline therefore parses in "
        "Python, with rules for bad input, and puts such a record into quarantine."
    )
    return observed


def _home(json: Column) -> list[Column]:
    """Return the names of a message's cameras as a column ``cameras``."""
    document = F.from_json(json.cast("string"), message_schema())
    cameras = F.map_values(document["devices"]["cameras"])
    return [F.sort_array(F.transform(cameras, lambda camera: camera["name"])).alias("cameras")]
