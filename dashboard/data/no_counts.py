"""Why there are no counts yet, and what to do about it, as Markdown."""

from datetime import datetime

from contract.quantities import format_quantity
from contract.queries import Query
from dashboard.data.background_value import Snapshot
from dashboard.data.completeness import how_complete
from dashboard.data.formatting import format_number
from dashboard.data.live_view import LiveView


def why_no_counts(live: Snapshot[LiveView], now: datetime) -> str:
    """Return the reason: nothing is sent, Spark starts, it reads the history, or nobody was seen.

    The view has seen no count of a sighting.
    """
    view = live.value
    if not view or not view.messages:
        return (
            "**There are no counts yet.** They appear after the pipeline has read a message in "
            "which a camera saw a person. If none appear within a minute, check that the producer "
            "(`nest produce`) and the pipeline (`nest pipeline`) are running. `nest up` starts "
            "both."
        )
    in_kafka = format_quantity(view.messages, "message")
    lag = view.lag(Query.STATS)
    if not lag:
        return f"**Nobody was seen yet.** All of the {in_kafka} in Kafka are counted."
    complete = how_complete(live, now)
    if isinstance(complete, datetime):
        counted = format_number(view.messages - lag)
        return f"**Nobody was seen yet.** {counted} of the {in_kafka} in Kafka are counted."
    if complete:
        return (
            f"**The first counts are on their way.** The pipeline is reading the {in_kafka} in "
            "Kafka. They appear here by themselves."
        )
    return (
        f"**There are no counts yet.** Kafka has {in_kafka}. The pipeline counts them once Spark "
        "has started: the first counts take half a minute on a quick machine and two minutes on a "
        "slow one. If none appear within three, check that the pipeline (`nest pipeline`) is "
        "running."
    )
