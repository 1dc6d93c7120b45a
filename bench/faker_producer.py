"""A simple producer, as many engineers first write it: Faker makes every field of every message.

The messages follow the schema and nothing else. No camera occurs in two messages.
"""

import json
from datetime import UTC, datetime
from typing import Any

from faker import Faker
from kafka import KafkaProducer
from pyspark.sql.types import (
    ArrayType,
    BooleanType,
    DataType,
    MapType,
    StringType,
    StructType,
    TimestampType,
)

from contract.settings import Settings
from contract.topics import NEST_LOGS
from pipeline.schema import message_schema


def produce(settings: Settings, *, messages: int, start: datetime) -> None:
    """Send messages of the hour from ``start``; return when all are acknowledged."""
    fake, schema = Faker(), message_schema()
    fake.seed_instance(settings.seed)
    start_ms = int(start.timestamp() * 1000)
    producer = KafkaProducer(
        bootstrap_servers=settings.bootstrap_servers.split(","),
        acks="all",
        linger_ms=20,
        key_serializer=str.encode,
        value_serializer=lambda document: json.dumps(document).encode(),
    )
    for _ in range(messages):
        producer.send(
            NEST_LOGS.name,
            key=fake.uuid4(),
            value=_random_value(fake, schema, "message"),
            timestamp_ms=start_ms + fake.pyint(max_value=3_600_000),
        )
    producer.flush()
    producer.close()


def _random_value(fake: Faker, kind: DataType, name: str) -> Any:
    """Return a random value of a type of the schema; ``name`` is the field's name."""
    if isinstance(kind, StructType):
        return {field.name: _random_value(fake, field.dataType, field.name) for field in kind}
    if isinstance(kind, MapType):
        return {fake.uuid4(): _random_value(fake, kind.valueType, name) for _ in range(2)}
    if isinstance(kind, ArrayType):
        return [_random_value(fake, kind.elementType, name) for _ in range(2)]
    if isinstance(kind, BooleanType):
        return fake.boolean()
    if isinstance(kind, TimestampType):
        return fake.date_time_this_month(tzinfo=UTC).isoformat()
    if isinstance(kind, StringType):
        if name.endswith("_url"):
            return fake.uri()
        return fake.uuid4() if name.endswith("_id") else fake.street_name()
    return fake.pyint()
