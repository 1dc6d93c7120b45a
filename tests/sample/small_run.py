"""A small correct run, written by hand: what is in Kafka and what a correct pipeline leaves behind.

The code under test computes nothing of it: each archive row, quarantine row and count stands next
to the message that it comes from.
"""

import hashlib
import json
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pyarrow as pa
from deltalake import DeltaTable, write_deltalake
from kafka import KafkaProducer

from contract.progress import QueryProgress
from contract.settings import Settings
from contract.topics import CAMERA_ALERTS, CAMERA_STATS, NEST_LOGS, PIPELINE_PROGRESS, SIGHTINGS

INSTANT = pa.timestamp("us", "UTC")
POSITION = [("partition", pa.int32()), ("offset", pa.int64()), ("timestamp", INSTANT)]
LAST_EVENT = pa.struct(
    [
        *((name, pa.bool_()) for name in ("has_sound", "has_motion", "has_person")),
        *((name, INSTANT) for name in ("start_time", "end_time", "urls_expire_time")),
        *((name, pa.string()) for name in ("web_url", "app_url", "image_url")),
        ("animated_image_url", pa.string()),
        ("activity_zone_ids", pa.list_(pa.string())),
    ]
)
CAMERA = pa.schema(
    [
        *(
            (name, pa.string())
            for name in (
                *("device_id", "software_version", "structure_id", "where_id", "where_name"),
                *("name", "name_long"),
            )
        ),
        *((name, pa.bool_()) for name in ("is_online", "is_streaming", "is_audio_input_enabled")),
        ("last_is_online_change", INSTANT),
        ("is_video_history_enabled", pa.bool_()),
        ("web_url", pa.string()),
        ("app_url", pa.string()),
        ("is_public_share_enabled", pa.bool_()),
        ("activity_zones", pa.list_(pa.struct([("name", pa.string()), ("id", pa.string())]))),
        ("public_share_url", pa.string()),
        ("snapshot_url", pa.string()),
        ("last_event", LAST_EVENT),
        *POSITION,
    ]
)
QUARANTINE = pa.schema([*POSITION, *((name, pa.string()) for name in ("reason", "detail", "raw"))])
PROPERTIES = {"delta.dataSkippingStatsColumns": "partition,offset,timestamp"}
LAST_VERSION = 3
"""Of each table of a small run: an empty one, and three batches."""
TOKEN = "c.k2V9RTverysecret"
OTHER_RULES = {"NEST_LATENESS": "7 minutes", "NEST_CLOCK_SKEW": "1 day"}
"""By which a query counted long ago; its newest progress is what holds."""


def at(clock: str) -> datetime:
    """A moment of the day of the run, UTC."""
    return datetime.fromisoformat(f"2026-11-20T{clock}+00:00")


def event(start: str, **fields: Any) -> tuple[dict[str, Any], dict[str, Any]]:
    """A camera event as a message has it, and as the archive must have it."""
    sent = {
        "has_sound": False,
        "has_motion": True,
        "has_person": True,
        "start_time": f"2026-11-20T{start}Z",
        "end_time": "2026-11-20T13:30:00.123456789+01:00",
        "web_url": f"https://home.nest.com/cameras/x/cuepoints/{start}?auth={TOKEN}",
        "image_url": "https://user:pass@www.dropcam.com/image#frame",
        "activity_zone_ids": ["1", None],
        **fields,
    }
    archived = {
        **sent,
        "start_time": at(start),
        "end_time": at("12:30:00.123456"),
        "web_url": f"https://home.nest.com/cameras/x/cuepoints/{start}",
        "image_url": "https://www.dropcam.com/image",
        **fields,
    }
    return sent, archived


def camera(
    device_id: str, last_event: tuple[dict[str, Any], dict[str, Any]] | None = None, **fields: Any
) -> tuple[dict[str, Any], dict[str, Any]]:
    """A camera as a message has it, and its archive row without the position."""
    sent: dict[str, Any] = {
        "device_id": device_id,
        "software_version": "4.0",
        "structure_id": "S",
        "name": "Hallway (upstairs)",
        "is_online": True,
        "last_is_online_change": "2026-11-19T00:00:00.000Z",
        "web_url": "https://home.nest.com/cameras/x",
        "snapshot_url": f"https://www.dropcam.com/api/snapshot?auth={TOKEN}",
        "activity_zones": [{"name": "Walkway", "id": 244083}],
        **fields,
    }
    archived = {
        **sent,
        "last_is_online_change": datetime(2026, 11, 19, tzinfo=UTC),
        "snapshot_url": "https://www.dropcam.com/api/snapshot",
        "activity_zones": [{"name": "Walkway", "id": "244083"}],
    }
    if last_event:
        sent["last_event"], archived["last_event"] = last_event
    return sent, archived


@dataclass
class SmallRun:
    """What is in the topics and in the lake; tests damage it before it is written."""

    records: list[tuple[int, bytes | None, datetime | int]] = field(default_factory=list)
    """Partition, value and timestamp, which is a number of ms since 1970 where it is unusable."""
    archive: list[dict[str, Any]] = field(default_factory=list)
    quarantine: list[dict[str, Any]] = field(default_factory=list)
    counts: list[tuple[tuple[str, str, str], int | bytes | None]] = field(default_factory=list)
    committed: dict[str, dict[int, int]] = field(default_factory=dict)
    rules: dict[str, dict[str, str]] = field(default_factory=dict)
    """By query, the rules by which its newest progress says that it counts."""
    locations: str = ""
    status: list[dict[str, Any]] | None = None
    """The rows of camera_status; None for a lake that does not have the table."""
    alerts: list[bytes | dict[str, Any]] = field(default_factory=list)
    taken_in: dict[str, int] = field(default_factory=dict)
    """By query, the version of its table up to which it has taken in everything."""
    dirt: dict[tuple[int, int], str] = field(default_factory=dict)
    """By partition and offset, the kind of dirt that a record is marked as."""
    sightings: list[tuple[str, str, str]] = field(default_factory=list)
    """Device, start and zip code of each record of nest-sightings."""
    forgotten: list[str] = field(default_factory=list)
    """The ids of forgotten homes and cameras, in the list beside the tables."""

    def row(self, device_id: str, nth: int = 0) -> dict[str, Any]:
        """The nth archive row of a device."""
        return [row for row in self.archive if row["device_id"] == device_id][nth]

    def quarantined(self, reason: str) -> dict[str, Any]:
        """The first quarantine row with a reason."""
        return next(row for row in self.quarantine if row["reason"] == reason)

    def add_message(
        self,
        partition: int,
        sent: str,
        cameras: list[tuple[dict[str, Any], dict[str, Any]]],
        *,
        others: dict[str, Any] | None = None,
        wrong: dict[str, str] | None = None,
    ) -> None:
        """Add a message; ``others`` are cameras without a row, ``wrong`` are details by reason."""
        document = {
            "metadata": {"access_token": TOKEN, "client_version": 1},
            "devices": {
                "thermostats": {"t": {"ambient_temperature_c": 21.5}},
                "cameras": {**{f"k{i}": c[0] for i, c in enumerate(cameras)}, **(others or {})},
            },
        }
        position = self.add_value(partition, sent, json.dumps(document).encode())
        self.archive += [{**row, **position} for _, row in cameras]
        raw = json.dumps(document).replace(TOKEN, "***").replace("auth=", "")
        raw = raw.replace("user:pass@", "").replace("#frame", "#***")
        self.quarantine += [
            {**position, "reason": reason, "detail": detail, "raw": raw}
            for reason, detail in (wrong or {}).items()
        ]

    def add_value(self, partition: int, sent: str, value: bytes | None) -> dict[str, Any]:
        """Add a record and return its position."""
        offset = sum(record[0] == partition for record in self.records)
        self.records.append((partition, value, at(sent)))
        return {"partition": partition, "offset": offset, "timestamp": at(sent)}

    def add_malformed(
        self, partition: int, sent: str, value: bytes | None, raw: str | None
    ) -> None:
        """Add a malformed record."""
        position = self.add_value(partition, sent, value)
        self.quarantine.append(
            {**position, "reason": "malformed", "detail": "no document", "raw": raw}
        )

    def add_stamped(self, partition: int, milliseconds: int, value: bytes) -> None:
        """Add a record without a usable timestamp."""
        position = self.add_value(partition, "10:00:00", value)
        self.records[-1] = (partition, value, milliseconds)
        self.quarantine.append(
            {
                **position,
                "timestamp": None,
                "reason": "malformed",
                "detail": "record timestamp out of range",
                "raw": value.decode(),
            }
        )

    def ends(self) -> dict[int, int]:
        """The end of each partition of nest-logs."""
        return {n: sum(record[0] == n for record in self.records) for n in range(4)}

    def write(self, bootstrap_servers: str, folder: Path) -> Settings:
        """Write the topics, the lake and the locations; return the settings that point there."""
        producer = KafkaProducer(bootstrap_servers=bootstrap_servers)
        sent = dict.fromkeys(range(4), 0)
        for partition, value, moment in self.records:
            kind = self.dirt.get((partition, sent[partition]))
            sent[partition] += 1
            producer.send(
                NEST_LOGS.name,
                value,
                b"S",
                partition=partition,
                timestamp_ms=(
                    moment if isinstance(moment, int) else int(moment.timestamp() * 1000)
                ),
                headers=[("dirt", kind.encode())] if kind else None,
            )
        for (zip_code, start, end), count in self.counts:
            window = {"start": f"2026-11-20T{start}.000Z", "end": f"2026-11-20T{end}.000Z"}
            key = json.dumps({"zip_code": zip_code, "window": window}, separators=(",", ":"))
            value = str(count).encode() if isinstance(count, int) else count
            producer.send(CAMERA_STATS.name, value, key.encode())
        for device_id, start, zip_code in self.sightings:
            sighting = {"device_id": device_id, "zip_code": zip_code}
            sighting["start_time"] = f"2026-11-20T{start}Z"
            producer.send(SIGHTINGS.name, json.dumps(sighting).encode(), device_id.encode())
        for query, offsets in self.committed.items():
            rules = self.rules.get(query, {})
            for end_offsets in ({0: 1}, offsets):  # an older record, and the newest
                key, value = QueryProgress(
                    query,
                    "running",
                    "2026-11-20T12:00:00Z",
                    end_offsets=end_offsets,
                    counting_rules=rules if end_offsets is offsets else OTHER_RULES,
                ).encode()
                producer.send(PIPELINE_PROGRESS.name, value, key)
        lake = folder / "lake"
        _append(lake / "camera", self.archive, CAMERA)
        _append(lake / "quarantine", self.quarantine, QUARANTINE)
        if self.status is not None:
            _append(lake / "camera_status", self.status, CAMERA)
        if self.forgotten:
            digests = [
                hashlib.sha256(f"salt{each}".encode()).hexdigest() for each in self.forgotten
            ]
            text = json.dumps({"salt": "salt", "digests": digests})
            (lake / "forgotten.json").write_text(text)
        for alert in self.alerts:
            value = alert if isinstance(alert, bytes) else json.dumps(alert).encode()
            producer.send(CAMERA_ALERTS.name, value, b"device")
        for query, version in self.taken_in.items():
            table = {"camera_status": "camera", "alerts": "camera_status"}[query]
            key, value = QueryProgress(
                query,
                "running",
                "2026-11-20T12:00:00Z",
                table=table,
                table_id=DeltaTable(lake / table).metadata().id,
                end_version=version,
            ).encode()
            producer.send(PIPELINE_PROGRESS.name, value, key)
        producer.close()
        (folder / "locations.csv").write_text(self.locations)
        return Settings(
            bootstrap_servers=bootstrap_servers,
            lake=str(lake),
            device_locations=str(folder / "locations.csv"),
            lateness=timedelta(hours=1),
            clock_skew=timedelta(minutes=5),
        )


def _append(table: Path, rows: list[dict[str, Any]], schema: pa.Schema) -> None:
    """Write the rows in three batches, each a file."""
    for batch in ([], rows[0::3], rows[1::3], rows[2::3]):
        data = pa.Table.from_pylist(batch, schema)
        write_deltalake(table, data, mode="append", configuration=PROPERTIES)


def small_run() -> SmallRun:
    """Four partitions: clean, re-sent, late, future, unplaced and broken messages."""
    run = SmallRun(
        locations="device_id,zip_code,city\na1,94304,Palo Alto\nb1,01002,Amherst\nb2,,\n"
    )
    first, second = event("10:04:50"), event("10:49:00", activity_zone_ids=[])
    quiet = event("10:19:00", has_person=False)
    run.add_message(0, "10:05:00", [camera("a1", first), camera("a2")])
    run.add_message(0, "10:20:00", [camera("a1", first), camera("a2", quiet, is_online=False)])
    cut_off = '{"metadata":{"access_token":"%s","url":"https://a/b?%s'
    raw = (cut_off % ("SECRET", "SECRET")).encode()
    run.add_malformed(0, "10:21:00", raw, cut_off % ("***", "***"))
    run.add_message(0, "10:50:00", [camera("a1", second), camera("a2", quiet)])
    run.add_message(0, "10:50:00", [camera("a1", second), camera("a2", quiet)])  # sent twice

    seen = event("10:29:59.5")
    seen[1]["start_time"] = at("10:29:59.500000")
    run.add_message(1, "10:30:00", [camera("b1", seen)])
    run.add_message(1, "12:00:00", [camera("b1", seen), camera("b2", event("10:30:00"))])
    run.add_message(
        1,
        "12:01:00",
        [camera("b1", seen)],
        others={"none": None, "empty": {"device_id": ""}},
        wrong={"camera": "empty, none"},
    )

    run.add_message(2, "11:00:00", [camera("c1", event("11:00:00"))])
    wrong = camera("c1", event("11:00:00"))
    wrong[0]["is_online"], wrong[1]["is_online"] = "yes", None
    wrong[0]["last_event"]["end_time"], wrong[1]["last_event"]["end_time"] = "late", None
    run.add_message(
        2, "11:05:00", [wrong], wrong={"field": "c1: is_online, c1: last_event.end_time"}
    )
    run.add_message(2, "11:10:00", [camera("c1", event("14:00:00"))], wrong={"future": "c1"})

    run.add_value(3, "11:00:00", b'{"devices":{"thermostats":{}}}')
    run.add_malformed(3, "11:01:00", None, None)
    run.add_malformed(3, "11:02:00", b'{} {"x":"\xff\xfe"}', '{} {"x":"\ufffd\ufffd"}')

    ten, eleven = ("10:00:00", "11:00:00"), ("11:00:00", "12:00:00")
    run.counts = [
        (("94304", *ten), 1),
        (("01002", *ten), 1),
        (("94304", *ten), 2),
        (("unknown", *eleven), 1),
    ]
    run.committed = {"archive": run.ends(), "stats": run.ends()}
    return run


def with_status(run: SmallRun) -> SmallRun:
    """Add the newest row of each camera, and the alerts: a2 went offline and came back."""
    run.status = [
        dict(run.row("a1", 3)),
        dict(run.row("a2", 3)),
        dict(run.row("b1", 2)),
        dict(run.row("b2")),
        dict(run.row("c1", 2)),
    ]
    run.alerts = [alert("offline", run.row("a2", 1)), alert("online", run.row("a2", 2))]
    run.taken_in = {"camera_status": LAST_VERSION, "alerts": LAST_VERSION}
    return run


def alert(kind: str, row: dict[str, Any], **fields: Any) -> dict[str, Any]:
    """The alert about a message, by its archive row."""
    position = f"{row['partition']}:{row['offset']}"
    return {
        "id": f"{row['device_id']}:{position}:{kind}",
        "device_id": row["device_id"],
        "alert": kind,
        "since": row["last_is_online_change"].isoformat().replace("+00:00", "Z"),
        "reported_at": row["timestamp"].isoformat().replace("+00:00", "Z"),
        "partition": row["partition"],
        "offset": row["offset"],
        "zip_code": "94304",
        **fields,
    }
