"""`nest report --follow`: the report once the history is counted, then each row that joins it."""

import time
from collections.abc import Iterator
from contextlib import suppress
from datetime import UTC, datetime

from kafka.errors import KafkaError

from contract.counts import ReportRow, report
from contract.errors import UserError
from contract.kafka.connections import open_consumer
from contract.settings import Settings
from demo.health.first_report import wait_for_first_report

_INTERVAL_S = 2.0


def follow_report(settings: Settings, threshold: int) -> Iterator[list[ReportRow]]:
    """Yield the report once every message of the history is counted, then the rows that join it.

    Goes on for ever, also while Kafka is away. Raises UserError when there is no broker or topic
    to begin with.
    """
    counts = wait_for_first_report(settings, datetime.now(UTC), lambda counted, in_kafka: None)
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
