"""How fast one producer tells the default world to Kafka, acknowledged by all replicas.

Beside it, fewer messages each: the same producer without ``crc32c``, whose work kafka-python then
does in Python; and what many write first, a producer that asks Faker for every field.
"""

import json
import os
import subprocess
import sys
from collections.abc import Callable
from datetime import UTC, datetime
from statistics import median

from bench.ground import renew
from contract.errors import UserError
from contract.settings import Settings
from contract.topics import NEST_LOGS
from demo.stack.services import environment
from producer.replay_clock import now
from producer.world.homes import build_home
from producer.world.messages import start_for

VARIANTS = ("without_crc32c", "pure_faker")
"""What else is measured; slow, so with fewer messages."""
_VARIANT_MESSAGES = 5_000


def measure_producer(
    settings: Settings, messages: int, rounds: int, say: Callable[[str], None]
) -> list[float]:
    """Fill nest-logs again and again with the same messages; return the seconds of each time.

    Each time is a process of its own; its seconds begin with the world's homes and end when the
    last message is acknowledged. The last filling stays.
    """
    start = begin_of(settings, messages)
    seconds = []
    for number in range(rounds):
        if number:
            renew(settings, (NEST_LOGS,))
        seconds.append(_apart("shipped", settings, messages, start))
        say(f"round {number + 1}  producer {messages / seconds[-1]:>11,.0f} messages/s")
    return seconds


def measure_variants(settings: Settings, say: Callable[[str], None]) -> dict[str, int]:
    """Return the messages a second of each variant, and leave nest-logs empty."""
    rates, start = {}, begin_of(settings, _VARIANT_MESSAGES)
    for name in VARIANTS:
        seconds = _apart(name, settings, _VARIANT_MESSAGES, start)
        rates[name] = round(_VARIANT_MESSAGES / seconds)
        say(f"producer, {name} {rates[name]:>11,} messages/s")
        renew(settings, (NEST_LOGS,))
    return rates


def as_json(seconds: list[float], messages: int, size: int) -> dict[str, float]:
    """Return the median's messages and megabytes (of values, uncompressed) a second."""
    middle = median(seconds)
    return {"msg_s": round(messages / middle), "mb_s": round(size / middle / 1e6, 1)}


def begin_of(settings: Settings, messages: int) -> datetime:
    """Return the start that `nest produce` would choose now, so that it stays the same."""
    homes = [build_home(settings.seed, number) for number in range(settings.homes)]
    return datetime.fromtimestamp(start_for(homes, messages, now()) / 1000, UTC)


def _apart(variant: str, settings: Settings, messages: int, start: datetime) -> float:
    done = subprocess.run(
        [sys.executable, "-m", "bench.one_producer", variant, str(messages), start.isoformat()],
        check=False,
        env={**os.environ, **environment(settings)},
        capture_output=True,
        text=True,
    )
    if done.returncode:
        raise UserError(f"The producer failed:\n{done.stderr[-2000:]}")
    return float(json.loads(done.stdout.splitlines()[-1]))
