"""Where a checkpoint comes from: the topic, tables and rules that its query began with.

It is kept in a file beside the checkpoint.
"""

import json
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import asdict, dataclass, field

from pydantic import TypeAdapter
from pyspark.sql import SparkSession

from contract.checkpoint_sidecars import CheckpointSidecar
from contract.errors import UserError
from contract.kafka.connections import ask_admin, describe_topic
from contract.lake import ARCHIVE_TABLES
from contract.settings import Settings
from contract.topics import NEST_LOGS, Topic
from contract.typed_json import decode_json
from pipeline.checkpoints.checkpoint import Checkpoint
from pipeline.lake.restores import newest_restores
from pipeline.lake.tables import table_ids


@dataclass(frozen=True)
class Origin:
    """The id of nest-logs, the tables' ids by name, and the rules by setting, as text."""

    topic_id: str
    tables: Mapping[str, str] = field(default_factory=dict)
    rules: Mapping[str, str] = field(default_factory=dict)
    restores: Mapping[str, int] = field(default_factory=dict)
    """By table, the version of the newest RESTORE that the query knows of."""
    output_topic_id: str = ""
    """Of the topic that the query writes to; empty if it writes to none."""


_ORIGIN = TypeAdapter(Origin)


def topic_id(settings: Settings, topic: Topic = NEST_LOGS) -> str:
    """Return the id that the broker gave a topic; one that is created again has another."""
    return str(
        ask_admin(settings.kafka, lambda admin: describe_topic(admin, topic.name))["topic_id"]
    )


def archive_origin(spark: SparkSession, settings: Settings) -> Origin:
    """Return the topic and the tables of the archive as they are now."""
    tables = table_ids(spark, settings, ARCHIVE_TABLES)
    return Origin(topic_id(settings), tables, restores=newest_restores(spark, settings))


def read_origin(checkpoint: Checkpoint) -> Origin | None:
    """Return what was kept when the query began, or was repaired; None if nothing was.

    Raises UserError if the file is torn.
    """
    file = checkpoint.beside(CheckpointSidecar.ORIGIN)
    if not file.exists():
        return None
    with checkpoint.torn_if_unreadable(file):
        return decode_json(_ORIGIN, file.read_text().encode())


def keep_origin(checkpoint: Checkpoint, origin: Origin) -> None:
    """Keep what the query begins with, or goes on with."""
    with suppress(UserError):
        if read_origin(checkpoint) == origin:
            return
    checkpoint.beside(CheckpointSidecar.ORIGIN).write_text(json.dumps(asdict(origin)))
