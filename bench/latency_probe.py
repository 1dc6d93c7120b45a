"""A camera of the benchmark itself, which times how long its sightings take to be counted."""

import threading
import time
from collections import defaultdict
from datetime import UTC, datetime
from pathlib import Path

import orjson
from confluent_kafka import Consumer, Message, Producer, TopicPartition

from contract.instants import format_instant, whole_hour
from contract.settings import Settings
from contract.sightings import Sighting, decode_sighting
from contract.stats import StatsKey, decode_count, decode_key
from contract.topics import CAMERA_STATS, NEST_LOGS, SIGHTINGS

_DEVICE = "bench-probe"
_ZIP_CODE = "00000"
_INTERVAL_S = 0.2
_NO_LOGGING = {"log_level": 0}
"""Kafka may stop before its clients. librdkafka's messages about that help nobody."""


def add_probe_location(source: Path, target: Path) -> None:
    """Copy a device_locations file and add the probe's line."""
    text = source.read_text()
    commas = "," * (text.split("\n", 1)[0].count(",") - 1)
    target.write_text(f"{text.rstrip()}\n{_DEVICE},{_ZIP_CODE}{commas}\n")


class LatencyProbe:
    """Sends a sighting every 200 ms, and records how long each took to be in the counts.

    The probe has a zip code of its own and its counts are absolute. So a count of ``n`` for an hour
    includes the first ``n`` sightings of that hour.
    """

    def __init__(self, settings: Settings) -> None:
        self._producer = Producer(
            {
                "bootstrap.servers": settings.bootstrap_servers,
                "acks": "all",
                "linger.ms": 0,
                **_NO_LOGGING,
            }
        )
        self._consumer = Consumer(
            {
                "bootstrap.servers": settings.bootstrap_servers,
                "group.id": "bench",  # required, although no offset is ever committed
                "enable.auto.commit": False,
                "fetch.wait.max.ms": 10,
                **_NO_LOGGING,
            }
        )
        topics = (CAMERA_STATS.name, SIGHTINGS.name)
        self._consumer.assign([TopicPartition(topic, 0, 0) for topic in topics])
        self._sent: dict[datetime, list[float]] = defaultdict(list)
        self._counted: dict[datetime, int] = defaultdict(int)
        self.delays: list[tuple[float, float]] = []
        """For each counted sighting: when it was sent (monotonic clock), and its delay, in s."""
        self._sent_at: dict[datetime, float] = {}
        self.sighting_delays: list[tuple[float, float]] = []
        """The same for each sighting that came to nest-sightings."""
        self._stop, self._sending = threading.Event(), threading.Event()
        self._threads = [threading.Thread(target=run) for run in (self._send, self._read)]

    @property
    def pending(self) -> int:
        """The number of sightings that were sent and are not counted yet."""
        return sum(map(len, self._sent.values())) - len(self.delays)

    def start(self) -> None:
        """Start to send sightings and to read counts."""
        self._sending.set()
        for thread in self._threads:
            thread.start()

    def stop_sending(self) -> None:
        """Stop to send sightings; go on reading counts."""
        self._sending.clear()
        self._threads[0].join()

    def close(self) -> None:
        """Stop both threads and close the consumer."""
        self._sending.clear()
        self._stop.set()
        for thread in self._threads:
            if thread.is_alive():
                thread.join()
        self._consumer.close()

    def _send(self) -> None:
        due = time.monotonic()
        while self._sending.is_set():
            now = datetime.now(UTC)
            now = now.replace(microsecond=now.microsecond // 1000 * 1000)  # as it is sent
            sent = self._sent_at[now] = time.monotonic()
            self._sent[whole_hour(now)].append(sent)
            self._producer.produce(
                NEST_LOGS.name, _sighting_at(now), _DEVICE, timestamp=int(now.timestamp() * 1000)
            )
            self._producer.flush()
            due += _INTERVAL_S
            self._stop.wait(max(0.0, due - time.monotonic()))

    def _read(self) -> None:
        while not self._stop.is_set():
            message = self._consumer.poll(0.1)
            if message is not None and not message.error():
                self._record_delays(message, time.monotonic())

    def _record_delays(self, message: Message, now: float) -> None:
        if message.topic() == SIGHTINGS.name:
            self._record_sighting_delay(decode_sighting(message.value()), now)
            return
        key: StatsKey = decode_key(message.key())
        if key.zip_code != _ZIP_CODE or message.value() is None:
            return
        count, counted = decode_count(message.value()), self._counted[key.start]
        for sent in self._sent[key.start][counted:count]:
            self.delays.append((sent, now - sent))
        self._counted[key.start] = max(counted, count)

    def _record_sighting_delay(self, sighting: Sighting, now: float) -> None:
        if sighting.device_id == _DEVICE and sighting.start_time in self._sent_at:
            sent = self._sent_at.pop(sighting.start_time)
            self.sighting_delays.append((sent, now - sent))


def _sighting_at(start: datetime) -> bytes:
    """Return a Nest document with one camera that sees a person at ``start``."""
    event = {
        "has_person": True,
        "has_motion": True,
        "has_sound": False,
        "start_time": format_instant(start),
    }
    camera = {"device_id": _DEVICE, "is_online": True, "last_event": event}
    return orjson.dumps({"metadata": {}, "devices": {"cameras": {_DEVICE: camera}}})
