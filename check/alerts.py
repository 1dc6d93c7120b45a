"""Compare the alerts of nest-camera-alerts with the archive and with camera_status.

What can be recounted on a system that runs is this: an alert names the message that it is about, so
the archive must have it, and it must say so; and the newest alert of a camera must be its state in
camera_status as of the version that the query has taken in. A camera that went offline
and came back has two alerts. Whether every such pair is there is not recounted.
"""

import sqlite3
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import pyarrow as pa
from kafka import KafkaConsumer

from check.camera_states import position_ranges, recency
from check.counted_cases import CountedCases
from check.forgotten import ForgottenIds
from check.positions import format_position
from check.rows import Rows, rows_by_position
from check.rules.columns import ARCHIVE_COLUMNS, Columns, index_of
from check.rules.document import parse_document
from check.rules.expected_record import Row
from check.rules.instants import parse_instant
from check.value_difference import format_value
from contract.kafka.bounded_read import records_in_topic
from contract.kafka.connections import partitions_of
from contract.topics import CAMERA_ALERTS

KINDS = {"offline": 0, "online": 1, "silent": None}
"""What an alert says about is_online."""
_MILLISECOND = 1_000
_DEVICE_ID = index_of("device_id", ARCHIVE_COLUMNS)
_IS_ONLINE = index_of("is_online", ARCHIVE_COLUMNS)
_LAST_CHANGE = index_of("last_is_online_change", ARCHIVE_COLUMNS)
_TIMESTAMP = index_of("timestamp", ARCHIVE_COLUMNS)
STATE_COLUMNS: Columns = {
    name: ARCHIVE_COLUMNS[name] for name in ("device_id", "is_online", "timestamp")
}


@dataclass
class AlertComparison:
    """What the comparison has found."""

    found: int = 0
    """Alerts, each once however often it was sent."""
    states: int = 0
    """Cameras in camera_status whose state is known."""
    unexplained: CountedCases = field(default_factory=CountedCases)
    """Alerts about which the archive says something else, or nothing."""
    contradicted: CountedCases = field(default_factory=CountedCases)
    """Cameras whose newest alert is not their state."""
    unreadable: CountedCases = field(default_factory=CountedCases)
    """Records of the topic that are no alerts."""


class Alerts:
    """The alerts, each once, in an SQLite file that has the cameras of the archive, too."""

    def __init__(self, db: sqlite3.Connection) -> None:
        self._db = db
        self._unreadable = CountedCases()
        self._has_lost_records = False
        db.executescript("""
            CREATE TABLE alert (
                id TEXT PRIMARY KEY, device_id TEXT, is_online INTEGER, since INTEGER,
                reported INTEGER, partition INTEGER, offset INTEGER, recency TEXT,
                has_returned INTEGER, is_explained INTEGER DEFAULT 0);
            CREATE INDEX alert_position ON alert (partition, offset);
            CREATE INDEX alert_camera ON alert (device_id, recency);
            CREATE TABLE state (device_id TEXT, is_online INTEGER, recency TEXT);
        """)

    def add_topic(self, consumer: KafkaConsumer) -> None:
        """Add the alerts of the topic; a record that is none is noted."""
        partitions = partitions_of(consumer, CAMERA_ALERTS.name)
        self._has_lost_records = any(consumer.beginning_offsets(partitions).values())
        for record in records_in_topic(consumer, CAMERA_ALERTS.name):
            try:
                self._add(parse_document(record.value))
            except (ValueError, OverflowError) as error:  # SQLite takes numbers of 64 bits
                self._unreadable.add(f"offset {record.offset}: {error}")

    def add_states(self, rows: Iterable[pa.RecordBatch]) -> None:
        """Add the rows of camera_status as of the version that the query has taken in."""
        for batch in rows:
            self._db.executemany(
                "INSERT INTO state VALUES (?, ?, ?)",
                (
                    (device_id, is_online, recency(_milliseconds(timestamp), position))
                    for position, of_record in rows_by_position(batch, STATE_COLUMNS).items()
                    for device_id, is_online, timestamp in of_record
                    if is_online is not None
                ),
            )

    def add_archived(self, rows: Rows) -> None:
        """Compare the alerts that are about some rows of the archive with them."""
        for partition, low, high in position_ranges(rows):
            alerts = self._db.execute(
                "SELECT id, device_id, is_online, since, reported, has_returned, offset FROM alert "
                "WHERE partition = ? AND offset BETWEEN ? AND ?",
                (partition, low, high),
            ).fetchall()
            for alert, *claim, offset in alerts:
                if any(map(_Claim(*claim).is_true_of, rows.get((partition, offset), ()))):
                    self._db.execute("UPDATE alert SET is_explained = 1 WHERE id = ?", (alert,))

    def compare(self, forgotten: ForgottenIds | None) -> AlertComparison:
        """Return what was found, after all rows were added.

        An alert about a camera that the archive does not have (any more) is not judged, nor one
        whose row may be gone because a home was forgotten.
        """
        found = AlertComparison(unreadable=self._unreadable)
        ((found.found,),) = self._db.execute("SELECT count(*) FROM alert")
        for alert, device_id, partition, offset in self._db.execute(
            "SELECT id, device_id, partition, offset FROM alert JOIN camera USING (device_id) "
            "WHERE NOT is_explained"
        ):
            if forgotten is not None and forgotten.may_lack(device_id):
                continue
            found.unexplained.add(f"{format_position((partition, offset))} {format_value(alert)}")
        for device_id, is_online, told in self._db.execute(
            "SELECT device_id, is_online, (SELECT is_online FROM alert "
            "WHERE alert.device_id = state.device_id AND alert.is_online IS NOT NULL "
            "AND alert.recency <= state.recency ORDER BY recency DESC, rowid DESC LIMIT 1) "
            "FROM state"
        ):
            found.states += 1
            if told is None and (is_online or self._has_lost_records):
                continue
            if told != is_online:
                what = {None: "none", 0: "offline", 1: "online"}
                found.contradicted.add(
                    f"device_id {format_value(device_id)} is {what[is_online]}, "
                    f"its newest alert is {what[told]}"
                )
        return found

    def _add(self, alert: dict[str, Any]) -> None:
        kind = alert.get("alert")
        if not isinstance(kind, str) or kind not in KINDS:
            raise ValueError(f"no alert of a known kind: {format_value(kind)}")
        since, reported = (parse_instant(str(alert.get(each))) for each in ("since", "reported_at"))
        position = alert.get("partition"), alert.get("offset")
        key = recency(_milliseconds(reported), position)
        names = alert.get("id"), alert.get("device_id")
        if since is None or key is None or not all(isinstance(name, str) for name in names):
            raise ValueError("no alert: id, device_id, since, reported_at or position is missing")
        self._db.execute(
            "INSERT OR IGNORE INTO alert (id, device_id, is_online, since, reported, partition, "
            "offset, recency, has_returned) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)",
            (
                *(*names, KINDS[kind], _milliseconds(since), _milliseconds(reported), *position),
                *(key, alert.get("was_silent_for_s") is not None),
            ),
        )


class _Claim(NamedTuple):
    """What an alert says about its message; instants are in milliseconds since 1970."""

    device_id: str
    is_online: int | None
    since: int
    reported: int
    has_returned: int

    def is_true_of(self, row: Row) -> bool:
        """Tell whether a row of the archive says so, too."""
        timestamp, change = _milliseconds(row[_TIMESTAMP]), _milliseconds(row[_LAST_CHANGE])
        if row[_DEVICE_ID] != self.device_id or timestamp != self.reported:
            return False
        if self.is_online is None:  # silent since its last message
            return self.since == timestamp
        is_state = row[_IS_ONLINE] is bool(self.is_online)
        has_since = self.since == (timestamp if change is None else change)
        if self.has_returned:  # with whatever state, by its word or as of this message
            return (is_state or row[_IS_ONLINE] is None) and (has_since or self.since == timestamp)
        return is_state and has_since


def _milliseconds(instant: object) -> int | None:
    return instant // _MILLISECOND if type(instant) is int else None
