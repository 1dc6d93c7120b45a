"""Which part breaks first: with how many homes each reaches its limit, and what to change then."""

from collections.abc import Callable
from typing import NamedTuple

from bench.scaling.measurements import Measurements
from bench.scaling.needs import HEADROOM, REPLICAS, STATS_TRIGGER_S, STATUS_TRIGGER_S, Needs
from contract.settings import Settings
from contract.topics import NEST_LOGS

_LARGEST_BROADCAST = 8 << 30
"""Spark refuses to broadcast a larger table."""
_HEAP = 1 << 30
"""NEST_SPARK_MEMORY by default; the state may have a third (pipeline/spark/state_store.py)."""
_READER_MEMORY = 1e9
_SHUFFLE_PARTITIONS = Settings.model_fields["shuffle_partitions"].default


class Limit(NamedTuple):
    """A part, with the share of its limit that a number of homes takes."""

    part: str
    breaks: str
    """When it is too much."""
    share: Callable[[Needs], float]
    """1 at the limit; it grows with the number of homes, at most as fast as that."""
    change: str


LIMITS = (
    Limit(
        "`stats`: state, where it is on the heap",
        "the state fills a third of a heap of 1 GB",
        lambda needs: needs.state_bytes / (_HEAP / 3),
        "`NEST_STATE_STORE=rocksdb`, the default: the state is on the executors' disks",
    ),
    Limit(
        "`stats`: eviction",
        f"looking at the whole state takes {_SHUFFLE_PARTITIONS} tasks longer than the trigger of "
        f"{STATS_TRIGGER_S:g} s",
        lambda needs: needs.eviction_s / _SHUFFLE_PARTITIONS / STATS_TRIGGER_S,
        "first a longer `NEST_STATS_TRIGGER`: ten times as long, a tenth of the work. Then more "
        "`NEST_SHUFFLE_PARTITIONS`, which the first start of the query fixes",
    ),
    Limit(
        "the machine",
        f"all queries keep its cores busy to {HEADROOM * 100:.0f} %",
        lambda needs: needs.all_busy_cores / (needs.measured.machine_cores * HEADROOM),
        "longer `NEST_STATS_TRIGGER` and `NEST_STATUS_TRIGGER`: eviction and the MERGE cost the "
        "same in each batch, whatever is new. Then a cluster ([kubernetes.md](kubernetes.md))",
    ),
    Limit(
        "`sightings`: tasks",
        f"each of the {NEST_LOGS.partitions} partitions gives its one task more than it can do",
        lambda needs: (
            needs.messages_s * needs.measured.sightings_query_s / NEST_LOGS.partitions / HEADROOM
        ),
        "`NEST_PARTITIONS`: more of them, each with a task slot of its own. Keys move when "
        "partitions are added, so choose them at the start",
    ),
    Limit(
        "`sightings`: table of places",
        "it is broadcast, and Spark refuses to broadcast more than 8 GiB (here as bytes of the "
        "file; in memory it is more)",
        lambda needs: needs.locations_bytes / _LARGEST_BROADCAST,
        "the zip code in the record: the home knows where it is, and the join and the table go",
    ),
    Limit(
        "`camera_status`: MERGE",
        f"writing every row anew takes the machine's cores longer than the trigger of "
        f"{STATUS_TRIGGER_S:g} s",
        lambda needs: needs.merge_s / needs.measured.machine_cores / STATUS_TRIGGER_S,
        "a longer `NEST_STATUS_TRIGGER`; then the table clustered by `device_id` with deletion "
        "vectors, so that a MERGE writes what changed",
    ),
    Limit(
        "Kafka: three brokers",
        f"with {REPLICAS} replicas each takes more than {HEADROOM * 100:.0f} % "
        "of what one has taken",
        lambda needs: needs.ingest_bytes_s / (needs.measured.broker_bytes_s * HEADROOM),
        "more brokers, and compression in the producer: the documents repeat themselves",
    ),
    Limit(
        "`nest check`",
        "a core recounts a day's messages in more than a day",
        lambda needs: needs.check_core_s / 86_400,
        "one check for each partition or for a sample of homes: it goes by chunks of offsets",
    ),
    Limit(
        "readers of `camera`",
        "the files of a year take 1 GB of memory in delta-rs",
        lambda needs: needs.reader_bytes / _READER_MEMORY,
        "the archive partitioned by date and clustered by `device_id`, larger files (`OPTIMIZE` "
        "to 1 GB), and older days in a table of their own",
    ),
)


def homes_at(limit: Limit, measured: Measurements) -> int:
    """Return with how many homes a part reaches its limit."""
    low, high = 1.0, 1e12
    while high / low > 1.001:
        middle = (low * high) ** 0.5
        if limit.share(Needs(round(middle), measured)) < 1:
            low = middle
        else:
            high = middle
    return round(high)


def in_order(measured: Measurements) -> list[tuple[int, Limit]]:
    """Return the limits with their numbers of homes, what breaks first at the beginning."""
    found = [(homes_at(limit, measured), limit) for limit in LIMITS]
    return sorted(found, key=lambda each: each[0])
