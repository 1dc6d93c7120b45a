"""Refuse to go on with another topic, another table or other rules than a query began with.

The query would leave messages out or count them wrongly, and nothing else would notice.
"""

from contract.errors import UserError
from contract.progress import LOCATIONS_RULE
from contract.quantities import format_quantity
from contract.queries import Query
from contract.settings import Settings
from contract.topics import NEST_LOGS
from pipeline.checkpoints.origin import Origin
from pipeline.lake.restores import require_not_restored

_REMARKS = {
    LOCATIONS_RULE: " The demo's own table follows from NEST_SEED and NEST_HOMES.",
    "NEST_CLOCK_SKEW": (
        " The table quarantine was written with the old one, too: `nest repair archive "
        "--new-tables` writes it anew, and without that `nest check` does not hold."
    ),
}
"""What else there is to say of a rule that differs."""

_REPAIR_DOES = {
    Query.STATS: "it deletes the counts, and the next start counts from the first message",
    Query.SIGHTINGS: "it empties nest-sightings, and the next start fills it anew",
    Query.ARCHIVE: "it writes what is missing from Kafka and makes a new checkpoint",
    Query.CAMERA_STATUS: "it builds the table camera_status anew from the table camera",
    Query.ALERTS: "the next start compares the cameras with what the alerts so far have said",
}


def require_same_archive_origin(kept: Origin, present: Origin, settings: Settings) -> None:
    """Raise UserError unless topic and tables are those of the archive, and not restored since."""
    require_same_topic(Query.ARCHIVE, kept, present, settings)
    require_same_tables(Query.ARCHIVE, kept, present, settings)
    require_not_restored(kept.restores, present.restores)


def require_same_topic(query: Query, kept: Origin, present: Origin, settings: Settings) -> None:
    """Raise UserError if nest-logs was deleted and created again since the query began.

    With NEST_FAIL_ON_DATA_LOSS=false the query goes on at its old offsets.
    """
    if kept.topic_id == present.topic_id or not settings.fail_on_data_loss:
        return
    raise UserError(
        f"The topic {NEST_LOGS.name} at {settings.bootstrap_servers} is not the one that the query "
        f"{query} has read so far: the topic was deleted and created again, or "
        "NEST_BOOTSTRAP_SERVERS names another Kafka than before. The query would skip its messages "
        "up to the old offsets. If it is another Kafka, set NEST_BOOTSTRAP_SERVERS back. To begin "
        "again with this topic, run `nest repair archive --new-tables`, which sets the old tables "
        "aside, and `nest repair stats`. To go on and skip those messages, set "
        "NEST_FAIL_ON_DATA_LOSS=false."
    )


def require_same_tables(query: Query, kept: Origin, present: Origin, settings: Settings) -> None:
    """Raise UserError if a table is not the one that the query began with."""
    for name, table_id in kept.tables.items():
        if present.tables.get(name) != table_id:
            found = "is another one" if name in present.tables else "is gone"
            raise UserError(
                f"The table {name} in NEST_LAKE={settings.lake} {found}, but the checkpoint of the "
                f"query {query} goes on after what it did with the old one. Messages would be left "
                "out. Set NEST_LAKE or NEST_CHECKPOINTS right, or run "
                f"{repair_advice(query)}"
            )


def require_same_rules(kept: Origin, present: Origin) -> None:
    """Raise UserError if a rule differs from the one that the counts were begun with."""
    for name, value in present.rules.items():
        before = kept.rules.get(name, value)
        if before != value:
            raise UserError(
                f"The counts were made with another {name}: {_difference(name, before, value)}. "
                "Set it back, or rebuild the counts from the first message with "
                f"`nest pipeline --rebuild-counts`.{_REMARKS.get(name, '')}"
            )


def _difference(rule: str, before: str, now: str) -> str:
    """Return what a rule was and is; of a table the number of devices, which begins its digest."""
    if rule != LOCATIONS_RULE:
        return f"{before} then, {now} now"
    devices_before, devices = (int(digest.partition("-")[0]) for digest in (before, now))
    if devices_before == devices:
        return f"it has {format_quantity(devices, 'device')}, too, but others or elsewhere"
    return f"{format_quantity(devices_before, 'device')} then, {devices:,} now"


def repair_advice(query: Query) -> str:
    """Return the command that repairs a query, and what it does, for messages."""
    return f"`nest repair {query}`: {_REPAIR_DOES[query]}."
