"""`nest report --follow`: the report once the history is counted, then each row that joins it."""

import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from datetime import UTC, datetime
from itertools import count

from kafka.errors import KafkaError

from contract.counts import ReportRow, report
from contract.errors import UserError
from contract.kafka.connections import open_consumer
from contract.print_line import PrintLine
from contract.settings import Settings
from demo.health.first_report import wait_for_first_report

_INTERVAL_S = 2.0


def follow_report(settings: Settings, threshold: int, say: PrintLine) -> Iterator[list[ReportRow]]:
    """Yield the report once every message of the history is counted, then the rows that join it.

    What is waited for is said. Goes on for ever, also while Kafka is away. Raises UserError when
    there is no broker or topic to begin with.
    """
    counts = wait_for_first_report(settings, datetime.now(UTC), _say_what_is_awaited(say))
    rows = report(counts.by_key, threshold)
    yield rows
    reported = {(row.zip_code, row.window_start) for row in rows}
    with open_consumer(settings.kafka) as consumer:
        while True:
            with suppress(UserError, KafkaError):  # Kafka is away; it may come back
                counts.refresh(consumer)
            rows = [
                row
                for row in report(counts.by_key, threshold)
                if (row.zip_code, row.window_start) not in reported
            ]
            if rows:
                yield rows
            reported |= {(row.zip_code, row.window_start) for row in rows}
            time.sleep(_INTERVAL_S)


def _say_what_is_awaited(say: PrintLine) -> Callable[[int, int], None]:
    """Return what tells of the messages counted and in Kafka, once the first look was in vain."""
    looks = count()

    def on_progress(counted: int, in_kafka: int) -> None:
        if next(looks) == 1:
            say(
                f"Waiting until a running pipeline has counted the history: {counted:,} of "
                f"{in_kafka:,} messages in Kafka so far."
            )

    return on_progress
