"""Notes for people on what the check saw and what is no error by itself."""

from collections.abc import Iterator

from check.counted_cases import CountedCases
from check.findings import Findings
from check.sightings import Outcome
from contract import lake
from contract.quantities import format_quantity
from contract.topics import CAMERA_ALERTS, CAMERA_STATS, SIGHTINGS


def notes(findings: Findings) -> list[str]:
    """Return the notes on a run's findings, one line each."""
    return [
        *_on_lake(findings),
        _on_sightings(findings),
        *_on_odd_records(findings),
        *_on_status(findings),
        *_on_dirt(findings),
        *_on_forgotten(findings),
        *_on_expired(findings),
    ]


def _on_lake(findings: Findings) -> Iterator[str]:
    if not findings.has_a_table and findings.committed:
        yield (
            f"there is no table in {lake.absolute_location(findings.lake)}; if the pipeline writes "
            "its lake elsewhere, set NEST_LAKE, or run the check in the pipeline's folder"
        )


def _on_sightings(findings: Findings) -> str:
    outcomes = findings.outcomes
    return (
        f"distinct sightings: {outcomes[Outcome.COUNTED]:,} on time "
        f"({findings.unplaced:,} of them unplaced), {outcomes[Outcome.TOO_LATE]:,} too late, "
        f"{outcomes[Outcome.FUTURE]:,} from the future"
    )


def _on_odd_records(findings: Findings) -> Iterator[str]:
    """Yield a note for each topic with records that are not what the others are."""
    sightings = findings.streamed.unreadable if findings.streamed else CountedCases()
    for topic, of_one, of_many, records in (
        (CAMERA_STATS, "is no count", "are no counts", findings.unreadable_counts),
        (CAMERA_STATS, "removes a count", "remove a count", findings.removed_counts),
        (SIGHTINGS, "is no sighting", "are no sightings", sightings),
        (CAMERA_ALERTS, "is no alert", "are no alerts", findings.status.alerts.unreadable),
    ):
        if records.count:
            what = of_one if records.count == 1 else of_many
            cases = "; ".join(records.first_cases)
            number = format_quantity(records.count, "record")
            yield f"{number} of {topic.name} {what}: {cases}"


def _on_status(findings: Findings) -> Iterator[str]:
    if not findings.must_have_status:
        yield (
            "camera_status is not judged: its query has committed nothing yet, or the lake is of a "
            "version that did not have it"
        )
    elif findings.status.unknown_coverage:
        yield findings.status.unknown_coverage
    if findings.must_have_status and (reason := findings.status.uncompared_alerts):
        yield f"alerts are not compared with camera_status: {reason}"


def _on_dirt(findings: Findings) -> Iterator[str]:
    for dirt in findings.dirt:
        yield (
            f"dirt injected, {dirt.kind}: {format_quantity(dirt.injected, 'record')}, of which "
            f"{dirt.caught:,} {dirt.becomes}"
        )


def _on_forgotten(findings: Findings) -> Iterator[str]:
    if findings.forgotten_ids:
        yield (
            f"forgotten ids of homes and cameras (`nest forget`): {findings.forgotten_ids:,}; "
            "their rows must not be there; the counts still hold their sightings"
        )
    if findings.has_unfinished_forget:
        yield lake.FORGET_UNFINISHED
    if findings.forgotten_sightings:
        yield (
            "sightings of forgotten cameras that only nest-sightings still has: "
            f"{findings.forgotten_sightings:,}; they may explain counts"
        )
    if (unexplained := findings.counts.unexplained).count:
        yield (
            "sightings in counts that nothing explains, in zip codes of forgotten cameras: "
            f"{unexplained.count:,}. NEST_SIGHTINGS is off, else nest-sightings could tell whether "
            f"they are theirs: {'; '.join(unexplained.first_cases)}"
        )


def _on_expired(findings: Findings) -> Iterator[str]:
    """Yield the notes on records that retention has removed from nest-logs."""
    if not findings.expired_records:
        return
    expired_rows = sum(table.expired_rows for table in findings.tables.values())
    yield (
        f"records gone from nest-logs: {findings.expired_records:,}; rows of theirs, which are "
        f"not judged: {expired_rows:,}; sightings in their archive rows may explain counts"
    )
    unknown = findings.expired_records - findings.tables[lake.CAMERA].expired_records
    if unknown > 0:
        why = "no camera, or never archived"
        if findings.forgotten_ids:
            why = "no camera, never archived, or forgotten"
        yield (
            f"records gone from nest-logs that have no row in the archive ({why}): {unknown:,}; "
            "they explain no count"
        )
