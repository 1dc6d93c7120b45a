"""Notes for people on what the check saw and what is no error by itself."""

from check.counted_cases import CountedCases
from check.findings import Findings
from check.sightings import Outcome
from contract import lake
from contract.topics import CAMERA_ALERTS, CAMERA_STATS, SIGHTINGS


def notes(findings: Findings) -> list[str]:
    """Return the notes on a run's findings, one line each."""
    outcomes = findings.outcomes
    lines = [
        f"distinct sightings: {outcomes[Outcome.COUNTED]:,} on time "
        f"({findings.unplaced:,} of them unplaced), {outcomes[Outcome.TOO_LATE]:,} too late, "
        f"{outcomes[Outcome.FUTURE]:,} from the future"
    ]
    sightings = findings.streamed.unreadable if findings.streamed else CountedCases()
    for topic, what, records in (
        (CAMERA_STATS, "are no counts", findings.unreadable_counts),
        (CAMERA_STATS, "remove a count", findings.removed_counts),
        (SIGHTINGS, "are no sightings", sightings),
        (CAMERA_ALERTS, "are no alerts", findings.status.alerts.unreadable),
    ):
        if records.count:
            cases = "; ".join(records.first_cases)
            lines.append(f"{records.count:,} records of {topic.name} {what}: {cases}")
    if not findings.must_have_status:
        lines.append(
            "camera_status is not judged: its query has committed nothing yet, or the lake is of a "
            "version that did not have it"
        )
    elif findings.status.unknown_coverage:
        lines.append(findings.status.unknown_coverage)
    if findings.must_have_status and (reason := findings.status.uncompared_alerts):
        lines.append(f"alerts are not compared with camera_status: {reason}")
    lines += [
        f"dirt injected, {dirt.kind}: {dirt.injected:,} records, {dirt.caught:,} of them "
        f"{dirt.becomes}"
        for dirt in findings.dirt
    ]
    if findings.forgotten_ids:
        lines.append(
            f"{findings.forgotten_ids:,} ids of homes and cameras are forgotten (`nest forget`): "
            "their rows must not be there; the counts still hold their sightings"
        )
    if findings.expired_records:
        expired_rows = sum(table.expired_rows for table in findings.tables.values())
        lines.append(
            f"{findings.expired_records:,} records are gone from nest-logs: {expired_rows:,} rows "
            "of theirs are not judged; sightings in their archive rows may explain counts"
        )
        unknown = findings.expired_records - findings.tables[lake.CAMERA].expired_records
        if unknown > 0:
            lines.append(
                f"{unknown:,} records that are gone from nest-logs have no row in the archive (no "
                "camera, or never archived): they explain no count"
            )
    return lines
