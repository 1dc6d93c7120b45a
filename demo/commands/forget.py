"""`nest forget`: what it asks, what it has removed, and what is left elsewhere."""

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING

from contract.errors import UserError
from contract.lake import forgotten_uri
from contract.print_line import PrintLine
from contract.quantities import format_quantity
from contract.settings import Settings
from contract.topics import CAMERA_ALERTS, CAMERA_STATS, NEST_LOGS, SIGHTINGS
from demo.commands.spark_start import announce_spark

if TYPE_CHECKING:
    from pipeline.commands.forget import Removed

_RETENTION = "which contract/topics.py sets (in the demo: none, they stay for ever)"


def forget(
    settings: Settings,
    structure: str | None,
    device: str | None,
    confirm: Callable[[str], None],
    say: PrintLine,
) -> None:
    """Forget a home or a camera unless ``confirm`` ends the command.

    Raises UserError unless exactly one id is given, if a pipeline runs, and for an unknown id.
    """
    from pipeline.commands.forget import forget as remove
    from pipeline.single_writer.lock import is_locked
    from pipeline.single_writer.writing_session import exclusive_session

    given = structure or device
    if not given or (structure and device):
        raise UserError("Say whom to forget: either --structure ID or --device ID.")
    if is_locked(settings):
        raise UserError(
            "A pipeline or another command works with the lake, and could write the home again "
            "meanwhile. Stop it first; it may be started again afterwards."
        )
    what = f"the home {structure}" if structure else f"the camera {device}"
    cameras = " and of its cameras, whichever home reports them," if structure else ""
    confirm(
        f"Delete everything of {what}{cameras} from the lake? This also deletes all older versions "
        "of the tables."
    )
    announce_spark()
    with exclusive_session(settings) as spark:
        removed = remove(spark, settings, structure_id=structure, device_id=device)
    for line in summary(what, structure, removed, settings):
        say(line)


def summary(
    what: str, structure: str | None, removed: "Removed", settings: Settings
) -> Iterator[str]:
    """Yield what was done, line by line, and what else there is."""
    cameras = format_quantity(removed.devices, "camera")
    also = (
        f", with {cameras}, whichever home has reported them"
        if structure and removed.devices
        else ""
    )
    yield f"Removed from the lake: {what}{also}."
    for table, rows in removed.rows.items():
        number = format_quantity(rows, "row")
        yield f"  {table}: {number}, and every file and log entry of older versions"
    if removed.set_aside:
        yield (
            "These tables, which a repair has set aside, may still have it, and cannot be changed "
            f"as they are damaged. Delete them: {', '.join(removed.set_aside)}"
        )
    yield "The archive leaves it out from now on, also if it still reports."
    kept = forgotten_uri(settings.lake)
    yield f"Who is forgotten is kept in {kept}. Copy that file to a new lake, too."
    records = removed.in_kafka
    if structure and records.count:
        offsets = ", ".join(f"{n}: {offset}" for n, offset in sorted(records.next_offsets.items()))
        yield (
            f"Kafka still holds {records.count:,} of its messages in {NEST_LOGS.name}. They leave "
            f"with the topic's retention, {_RETENTION}; or at once, with all others before them, "
            f"by kafka-delete-records.sh up to these offsets by partition: {offsets}."
        )
    elif structure:
        yield f"Kafka holds none of its messages in {NEST_LOGS.name}."
    else:
        yield (
            f"Kafka still holds the home's messages in {NEST_LOGS.name}, which tell of the camera. "
            f"They leave with the topic's retention, {_RETENTION}."
        )
    yield (
        f"{SIGHTINGS.name} and {CAMERA_ALERTS.name} keep their records by device_id, until their "
        f"retention as well. The counts of {CAMERA_STATS.name} are sums and stay. The state of the "
        f"counts in {settings.checkpoints} forgets a sighting after NEST_WATERMARK."
    )
