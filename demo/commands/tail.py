"""`nest tail`: a topic's records, readable, without credentials and terminal escapes."""

from collections.abc import Callable, Iterator
from typing import Literal

from kafka.consumer.fetcher import ConsumerRecord

from contract.instants import format_instant, from_epoch_ms
from contract.kafka.cluster import Kafka
from contract.kafka.connections import open_consumer, partitions_of
from contract.readable_json import readable_json
from contract.redaction import HIDDEN, redact_text

_POLL_MS = 500


def follow(
    kafka: Kafka,
    topic: str,
    since: Literal["earliest", "latest"],
    count: int | None,
    on_wait: Callable[[], None] = lambda: None,
) -> Iterator[ConsumerRecord]:
    """Yield a topic's records as they come, for ever or until there were ``count``.

    ``on_wait`` is called once, when the first poll brings no record. Raises UserError when there is
    no broker or topic.
    """
    with open_consumer(kafka) as consumer:
        partitions = partitions_of(consumer, topic)
        consumer.assign(partitions)
        if since == "earliest":
            consumer.seek_to_beginning(*partitions)
        else:
            consumer.seek_to_end(*partitions)
        yielded, has_waited = 0, False
        while count is None or yielded < count:
            remaining = None if count is None else count - yielded
            batches = consumer.poll(timeout_ms=_POLL_MS, max_records=remaining)
            if not batches and not yielded and not has_waited:
                has_waited = True
                on_wait()
            for records in batches.values():
                for record in records:
                    yielded += 1
                    yield record


def heading(record: ConsumerRecord) -> str:
    """Return a record's position, timestamp, key and headers in one line."""
    moment = from_epoch_ms(record.timestamp)
    parts = [
        f"{record.topic}[{record.partition}]@{record.offset}",
        format_instant(moment),
        f"key={_as_text(record.key)}",
        *(_header(name, value) for name, value in record.headers or ()),
    ]
    return "  ".join(parts)


def _header(name: str, value: bytes | None) -> str:
    """Return a header; all of its value is hidden if its name says that it is a credential."""
    is_secret = value is not None and redact_text(f"{name}=x").endswith(f"={HIDDEN}")
    shown = HIDDEN if is_secret else _as_text(value)
    return f"{escape_unprintable(redact_text(name))}={shown}"


def body(record: ConsumerRecord, pretty: bool) -> str:
    """Return a record's value: JSON on one line or indented, anything else as text.

    JSON that nests very deeply is shown as text, too, and is not indented where that would make it
    many times as long.
    """
    if record.value is None:
        return "(no value: a tombstone)"
    text = readable_json(record.value, indent=pretty)
    if text is None:
        return _as_text(record.value)
    return "\n".join(escape_unprintable(line) for line in redact_text(text).split("\n"))


def escape_unprintable(text: str) -> str:
    """Write control characters, terminal escapes and direction marks as visible escapes."""
    return "".join(
        each if each.isprintable() else each.encode("unicode_escape").decode() for each in text
    )


def _as_text(raw: bytes | None) -> str:
    if raw is None:
        return "(none)"
    return escape_unprintable(redact_text(raw.decode("utf-8", errors="replace")))
