"""`nest backfill`: read the range, recount it, show the differences, and apply them if asked."""

from contextlib import nullcontext
from datetime import datetime, timedelta
from typing import TYPE_CHECKING

from rich.console import Console
from rich.table import Table

from contract.errors import UserError
from contract.instants import format_hour
from contract.quantities import format_quantity
from contract.settings import Settings
from demo.commands.spark_start import announce_spark
from demo.stack.device_locations import with_device_locations

if TYPE_CHECKING:
    from pipeline.commands.backfill import ComparedHours, CountDifference

_MOST_SHOWN = 50
_LONGEST_BATCH = timedelta(minutes=1)


def backfill(
    settings: Settings,
    console: Console,
    *,
    since: datetime,
    until: datetime,
    apply: bool,
    force: bool,
) -> bool:
    """Recount hours, from ``since`` to ``until`` (UTC), and print what differs.

    With ``apply`` it is corrected, too.

    Returns whether the topic is right now. Raises UserError for a range that cannot be recounted;
    with ``apply`` also while a pipeline runs, where the counts were made with other rules or device
    locations, and where the archive is not whole, or without ``force`` may not be.
    """
    from pipeline.commands.backfill import (
        apply_differences,
        compare_hours,
        require_closed_hours,
        require_correctable,
        wait_for_archive,
    )
    from pipeline.lake.forgotten import read_forgotten
    from pipeline.single_writer.lock import is_locked
    from pipeline.single_writer.writing_session import exclusive_session
    from pipeline.spark.reading_session import reading_session

    require_closed_hours(settings, since, until)
    has_pipeline = is_locked(settings)
    if apply and has_pipeline:
        raise UserError(
            "A pipeline or another command works with the lake, and may write counts. Stop it "
            "first, or leave out --apply."
        )
    longest = settings.archive_interval + _LONGEST_BATCH if has_pipeline else timedelta()
    waiting = f"Waiting for the archive, up to {longest.total_seconds():.0f} s"
    with console.status(waiting) if longest else nullcontext():
        wait_for_archive(settings, longest)
    settings = with_device_locations(settings)
    announce_spark()
    with (exclusive_session if apply else reading_session)(settings) as spark:
        are_homes_missing = read_forgotten(spark, settings) is not None
        if apply:
            require_correctable(spark, settings)
        compared = compare_hours(spark, settings, since, until)
        if apply:
            if not force:
                _require_no_loss(settings, compared, console, are_homes_missing=are_homes_missing)
            apply_differences(settings, compared.differences)
    _print_comparison(compared, console, is_applied=apply, are_homes_missing=are_homes_missing)
    return apply or not compared.differences


def _require_no_loss(
    settings: Settings, compared: "ComparedHours", console: Console, *, are_homes_missing: bool
) -> None:
    """Print what differs and raise UserError if its correction might count less than there was."""
    from pipeline.commands.backfill import require_no_lower_count

    try:
        if are_homes_missing and compared.differences:
            raise UserError(
                "Homes were forgotten: the archive lacks their sightings, and the topic still "
                "counts them. Nothing was changed. To write the recount all the same, add --force. "
                "The check calls such counts too low; `nest repair stats` makes them right again."
            )
        require_no_lower_count(settings, compared.differences)
    except UserError:
        console.print(differences_table(compared.differences))
        raise


def _print_comparison(
    compared: "ComparedHours", console: Console, *, is_applied: bool, are_homes_missing: bool
) -> None:
    differences = compared.differences
    if not compared.counts:
        console.print("There is no count of these hours, neither in the topic nor in the archive.")
        return
    if not differences:
        console.print(
            "The archive gives the counts that the topic has: "
            f"{format_quantity(compared.counts, 'count')}."
        )
        return
    console.print(differences_table(differences))
    if len(differences) > _MOST_SHOWN:
        console.print(f"and {len(differences) - _MOST_SHOWN:,} more")
    if are_homes_missing:
        console.print("Homes were forgotten: the archive lacks their sightings.")
    console.print(
        f"Written to nest-camera-stats: {format_quantity(len(differences), 'count')}."
        if is_applied
        else "Nothing was changed. With --apply the recounted values are written to the topic."
    )


def differences_table(differences: "list[CountDifference]") -> Table:
    """Return the first differences for a terminal; hours are in UTC."""
    table = Table(title=f"Counts that differ: {len(differences):,}", title_justify="left")
    table.add_column("zip code")
    table.add_column("hour (UTC)")
    table.add_column("in the topic", justify="right")
    table.add_column("recounted", justify="right")
    for each in differences[:_MOST_SHOWN]:
        hour = format_hour(each.key.start, each.key.end)
        values = ("none" if n is None else f"{n:,}" for n in (each.in_topic, each.recounted))
        table.add_row(each.key.zip_code, hour, *values)
    return table
