"""A device of our own beside the simulated world: it is seen, and we look when that is counted."""

import threading
import time
from collections import defaultdict
from datetime import UTC, datetime
from pathlib import Path

import orjson
from confluent_kafka import Consumer, Message, Producer, TopicPartition

from contract.instants import format_instant
from contract.settings import Settings
from contract.stats import StatsKey, decode_count, decode_key
from contract.topics import CAMERA_STATS, NEST_LOGS

DEVICE = "bench-probe"
ZIP_CODE = "00000"
EVERY_S = 0.2
_QUIET = {"log_level": 0}
"""Kafka may be gone before its last client is; that is nothing to tell people."""


def with_probe(source: Path, target: Path) -> None:
    """Write device_locations with the probe's line added."""
    text = source.read_text()
    commas = "," * (text.split("\n", 1)[0].count(",") - 1)
    target.write_text(f"{text.rstrip()}\n{DEVICE},{ZIP_CODE}{commas}\n")


class Probe:
    """Sends a sighting now and then, and notes how long each took to be in the counts.

    The counts are absolute, so a count of ``n`` in an hour says that the first ``n`` sightings of
    that hour are in it.
    """

    def __init__(self, settings: Settings) -> None:
        self._producer = Producer(
            {
                "bootstrap.servers": settings.bootstrap_servers,
                "acks": "all",
                "linger.ms": 0,
                **_QUIET,
            }
        )
        self._consumer = Consumer(
            {
                "bootstrap.servers": settings.bootstrap_servers,
                "group.id": "bench",  # required, but nothing is ever committed
                "enable.auto.commit": False,
                "fetch.wait.max.ms": 10,
                **_QUIET,
            }
        )
        self._consumer.assign([TopicPartition(CAMERA_STATS.name, 0, 0)])
        self._sent: dict[datetime, list[float]] = defaultdict(list)
        self._seen: dict[datetime, int] = defaultdict(int)
        self.delays: list[tuple[float, float]] = []
        """When each sighting that has been counted was sent (monotonic), and after how long."""
        self._stop, self._sending = threading.Event(), threading.Event()
        self._threads = [threading.Thread(target=run) for run in (self._send, self._read)]

    @property
    def waiting(self) -> int:
        """How many sightings are not in the counts yet."""
        return sum(map(len, self._sent.values())) - len(self.delays)

    def start(self) -> None:
        """Begin to send and to look."""
        self._sending.set()
        for thread in self._threads:
            thread.start()

    def stop_sending(self) -> None:
        """Send no more, but go on looking."""
        self._sending.clear()
        self._threads[0].join()

    def close(self) -> None:
        """End."""
        self._sending.clear()
        self._stop.set()
        for thread in self._threads:
            if thread.is_alive():
                thread.join()
        self._consumer.close()

    def _send(self) -> None:
        due = time.monotonic()
        while self._sending.is_set():
            moment = datetime.now(UTC)
            self._sent[moment.replace(minute=0, second=0, microsecond=0)].append(time.monotonic())
            self._producer.produce(
                NEST_LOGS.name, document(moment), DEVICE, timestamp=int(moment.timestamp() * 1000)
            )
            self._producer.flush()
            due += EVERY_S
            self._stop.wait(max(0.0, due - time.monotonic()))

    def _read(self) -> None:
        while not self._stop.is_set():
            message = self._consumer.poll(0.1)
            if message is not None and not message.error():
                self._note(message, time.monotonic())

    def _note(self, message: Message, now: float) -> None:
        key: StatsKey = decode_key(message.key())
        if key.zip_code != ZIP_CODE or message.value() is None:
            return
        count, seen = decode_count(message.value()), self._seen[key.start]
        for sent in self._sent[key.start][seen:count]:
            self.delays.append((sent, now - sent))
        self._seen[key.start] = max(seen, count)


def document(moment: datetime) -> bytes:
    """Return a Nest document of one camera that sees a person at that moment."""
    instant = format_instant(moment)
    event = {"has_person": True, "has_motion": True, "has_sound": False, "start_time": instant}
    camera = {"device_id": DEVICE, "is_online": True, "last_event": event}
    return orjson.dumps({"metadata": {}, "devices": {"cameras": {DEVICE: camera}}})
