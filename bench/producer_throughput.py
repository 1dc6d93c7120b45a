"""How fast one producer sends the default world to Kafka, acknowledged by all replicas.

Two variants are measured with fewer messages. One is the same producer without ``crc32c``, so that
kafka-python computes checksums in Python. The other asks Faker for every field.
"""

import json
import sys
from datetime import UTC, datetime
from statistics import median

from bench.environment import recreate_topics
from contract.print_line import PrintLine
from contract.run_to_end import run_to_end
from contract.settings import Settings
from contract.topics import NEST_LOGS
from demo.stack.environment import environment
from producer.replay_clock import now
from producer.world.homes import build_home
from producer.world.messages import start_for

VARIANTS = ("without_crc32c", "pure_faker")
"""The slow producers for comparison."""
_VARIANT_MESSAGES = 5_000


def measure_producer(settings: Settings, messages: int, rounds: int, say: PrintLine) -> list[float]:
    """Fill nest-logs with the same messages once per round; return the seconds of each round.

    Each round is a process of its own. Its time starts when the homes are created and ends when
    the last message is acknowledged. The messages of the last round stay in the topic.
    """
    start = history_start(settings, messages)
    seconds = []
    for number in range(rounds):
        if number:
            recreate_topics(settings, (NEST_LOGS,))
        seconds.append(_time_in_subprocess("shipped", settings, messages, start))
        say(f"round {number + 1}  producer {messages / seconds[-1]:>11,.0f} messages/s")
    return seconds


def measure_variants(settings: Settings, say: PrintLine) -> dict[str, int]:
    """Return the messages per second of each variant, and leave nest-logs empty."""
    rates, start = {}, history_start(settings, _VARIANT_MESSAGES)
    for name in VARIANTS:
        seconds = _time_in_subprocess(name, settings, _VARIANT_MESSAGES, start)
        rates[name] = round(_VARIANT_MESSAGES / seconds)
        say(f"producer, {name} {rates[name]:>11,} messages/s")
        recreate_topics(settings, (NEST_LOGS,))
    return rates


def as_json(seconds: list[float], messages: int, value_bytes: int) -> dict[str, float]:
    """Return messages and megabytes (of uncompressed values) per second, in the median round."""
    median_s = median(seconds)
    return {
        "msg_s": round(messages / median_s),
        "mb_s": round(value_bytes / median_s / 1e6, 1),
    }


def history_start(settings: Settings, messages: int) -> datetime:
    """Return the start that `nest produce` would choose now; every round uses the same one."""
    homes = [build_home(settings.seed, number) for number in range(settings.homes)]
    return datetime.fromtimestamp(start_for(homes, messages, now(), 0) / 1000, UTC)


def _time_in_subprocess(variant: str, settings: Settings, messages: int, start: datetime) -> float:
    command = [sys.executable, "-m", "bench.producer_process", variant, str(messages)]
    printed = run_to_end(
        [*command, start.isoformat()],
        "The producer failed",
        environment=environment(settings),
    )
    return float(json.loads(printed.splitlines()[-1]))
