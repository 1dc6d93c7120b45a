"""A topic's records, readable: credentials hidden, and nothing that a terminal would obey."""

from collections.abc import Iterator
from datetime import UTC, datetime
from typing import Literal

import orjson
from kafka.consumer.fetcher import ConsumerRecord

from contract.connections import open_consumer, partitions_of
from contract.instants import format_instant
from contract.redaction import redact_text

_POLL_MS = 500


def follow(
    bootstrap_servers: str, topic: str, since: Literal["earliest", "latest"], count: int | None
) -> Iterator[ConsumerRecord]:
    """Yield the topic's records as they come, for ever or until there were ``count``.

    Raises UserError when there is no broker or topic.
    """
    with open_consumer(bootstrap_servers) as consumer:
        partitions = partitions_of(consumer, topic)
        consumer.assign(partitions)
        if since == "earliest":
            consumer.seek_to_beginning(*partitions)
        else:
            consumer.seek_to_end(*partitions)
        seen = 0
        while count is None or seen < count:
            left = None if count is None else count - seen
            for records in consumer.poll(timeout_ms=_POLL_MS, max_records=left).values():
                for record in records:
                    seen += 1
                    yield record


def heading(record: ConsumerRecord) -> str:
    """Return where and when a record is, its key and its headers, in one line."""
    moment = datetime.fromtimestamp(record.timestamp / 1000, UTC)
    parts = [
        f"{record.topic}[{record.partition}]@{record.offset}",
        format_instant(moment),
        f"key={_readable(record.key)}",
        *(f"{harmless(name)}={_readable(value)}" for name, value in record.headers or ()),
    ]
    return "  ".join(parts)


def body(record: ConsumerRecord, pretty: bool) -> str:
    """Return a record's value: JSON over many lines or on one, anything else as text."""
    if record.value is None:
        return "(no value: a tombstone)"
    try:
        option = orjson.OPT_INDENT_2 if pretty else 0
        text = orjson.dumps(orjson.loads(record.value), option=option).decode()
    except orjson.JSONDecodeError:
        return _readable(record.value)
    return "\n".join(harmless(line) for line in redact_text(text).split("\n"))


def harmless(text: str) -> str:
    """Write control characters, terminal escapes and direction marks as visible escapes."""
    return "".join(
        each if each.isprintable() else each.encode("unicode_escape").decode() for each in text
    )


def _readable(raw: bytes | None) -> str:
    if raw is None:
        return "(none)"
    return harmless(redact_text(raw.decode("utf-8", errors="replace")))
