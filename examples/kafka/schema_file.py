"""The schema of a message as a JSON file, loaded with ``StructType.fromJson``.

You should see the project's file (contract/message_schema.json) as a schema, and a field that
cameras send but the schema does not know: it is read as soon as the file has it, without new code.
Each camera of a message is a row: the map of cameras is exploded.
"""

import json
from dataclasses import dataclass

from pyspark.sql import DataFrame
from pyspark.sql import functions as F
from pyspark.sql.types import StructType

from contract.message import MESSAGE_SCHEMA
from examples.playground import Playground
from pipeline.schema import message_schema

ROWS = ("A7", "D1")


@dataclass(frozen=True)
class Observed:
    """The parts of a message, the names of two schemas' camera fields, and what was read."""

    parts: list[str]
    same_as_the_pipelines: bool
    new_fields: set[str]
    levels: list[int | None]
    camera_ids: int


def run(playground: Playground) -> Observed:
    """Read a message with the schema in git, and one whose cameras have a battery with a copy."""
    text = MESSAGE_SCHEMA.read_text()
    schema = StructType.fromJson(json.loads(text))

    document = json.loads(text)
    camera_fields(document).append(
        {"name": "battery_level", "type": "integer", "nullable": True, "metadata": {}}
    )
    copy = playground.folder / "message_schema.json"
    copy.write_text(json.dumps(document, indent=2))
    newer = StructType.fromJson(json.loads(copy.read_text()))

    message = json.loads(playground.messages(1)[0].value or b"")
    for camera in message["devices"]["cameras"].values():
        camera["battery_level"] = 87
    row = playground.spark.createDataFrame([(json.dumps(message),)], "value STRING")
    before, after = cameras(row, schema), cameras(row, newer)

    observed = Observed(
        parts=schema.names,
        same_as_the_pipelines=schema == message_schema(),
        new_fields=set(after.columns) - set(before.columns),
        levels=[each.battery_level for each in after.collect()],
        camera_ids=before.where("device_id IS NOT NULL").count(),
    )
    playground.say(f"A message has the parts {observed.parts}.")
    playground.say(f"A camera has the fields {before.columns}.")
    playground.say(f"With the copy it also has {observed.new_fields}: {observed.levels}.")
    playground.say(
        "A table that exists does not take a new column by itself: Delta refuses it until "
        "mergeSchema allows it."
    )
    return observed


def camera_fields(document: dict[str, object]) -> list[dict[str, object]]:
    """Return the list of a camera's fields inside a schema's JSON."""
    kind: object = document
    for name in ("devices", "cameras"):
        fields = kind["fields"]  # type: ignore[index]
        kind = next(field["type"] for field in fields if field["name"] == name)
    return kind["valueType"]["fields"]  # type: ignore[index, no-any-return]


def cameras(messages: DataFrame, schema: StructType) -> DataFrame:
    """Return one row per camera, with the fields that the schema has."""
    document = F.from_json("value", schema)
    return messages.select(F.explode(F.map_values(document["devices"]["cameras"]))).select("col.*")
