"""Each expectation holds on sound findings, is broken by its own fault, and is in the page."""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from check.alerts import AlertComparison
from check.camera_states import StateComparison
from check.count_comparison import CountComparison
from check.counted_cases import CountedCases
from check.expectations import EXPECTATIONS
from check.findings import Findings, StatusFindings, TableFindings
from check.judging import Expectation, compare_all
from check.notes import notes
from check.rules.columns import ARCHIVE_COLUMNS, QUARANTINE_COLUMNS
from check.sightings import Outcome
from check.streamed_sightings import SightingComparison
from check.table_comparison import TableComparison
from contract.queries import Query

PAGE = Path(__file__).parents[2] / "docs" / "check.md"
BY_TEXT = {expectation.what: expectation for expectation in EXPECTATIONS}


def sound() -> Findings:
    """Ten records of which the queries have committed eight."""
    archive = TableComparison(
        ARCHIVE_COLUMNS, "device_id", required=16, possible=20, found=18, values=540
    )
    quarantine = TableComparison(
        QUARANTINE_COLUMNS, "reason", required=1, possible=2, found=1, values=4
    )
    return Findings(
        bounds={0: (0, 6), 1: (0, 4)},
        committed={query: {0: 5, 1: 3} for query in ("archive", "stats", "sightings")},
        must_be_complete=False,
        records=10,
        lake="s3a://nest/lake",
        tables={
            "camera": TableFindings([*ARCHIVE_COLUMNS, "partition", "offset"], archive),
            "quarantine": TableFindings([*QUARANTINE_COLUMNS, "partition", "offset"], quarantine),
        },
        counts=CountComparison(
            required=3,
            possible=4,
            found=3,
            sightings_required=30,
            sightings_possible=34,
            sightings_found=31,
        ),
        streamed=SightingComparison(required=30, possible=34, found=31),
        unreadable_counts=CountedCases(),
        removed_counts=CountedCases(),
        outcomes=dict.fromkeys(Outcome, 0),
        unplaced=0,
        dirt=[],
        status=StatusFindings(
            [*ARCHIVE_COLUMNS, "partition", "offset"],
            has_committed=True,
            comparison=StateComparison(required=4, possible=5, found=4, values=120),
            alerts=AlertComparison(found=3, states=4),
        ),
    )


def committed(query: str, offsets: dict[int, int]) -> Callable[[Findings], Findings]:
    return lambda found: replace(found, committed={**found.committed, query: offsets})


def committed_all(found: Findings) -> Findings:
    ends = {number: end for number, (_, end) in found.bounds.items()}
    return replace(found, committed=dict.fromkeys(found.committed, ends))


def table(name: str, **changes: object) -> Callable[[Findings], Findings]:
    def change(found: Findings) -> Findings:
        comparison = replace(found.tables[name].comparison, **changes)
        changed = replace(found.tables[name], comparison=comparison)
        return replace(found, tables={**found.tables, name: changed})

    return change


def columns(name: str, names: list[str] | None) -> Callable[[Findings], Findings]:
    def change(found: Findings) -> Findings:
        changed = replace(found.tables[name], columns=names)
        return replace(found, tables={**found.tables, name: changed})

    return change


def counts(**changes: object) -> Callable[[Findings], Findings]:
    return lambda found: replace(found, counts=replace(found.counts, **changes))


def streamed(**changes: object) -> Callable[[Findings], Findings]:
    def change(found: Findings) -> Findings:
        assert found.streamed
        return replace(found, streamed=replace(found.streamed, **changes))

    return change


def status(**changes: object) -> Callable[[Findings], Findings]:
    return lambda found: replace(found, status=replace(found.status, **changes))


def states(**changes: object) -> Callable[[Findings], Findings]:
    return lambda found: status(comparison=replace(found.status.comparison, **changes))(found)


def alerts(**changes: object) -> Callable[[Findings], Findings]:
    return lambda found: status(alerts=replace(found.status.alerts, **changes))(found)


def nothing_compared(found: Findings) -> Findings:
    for name in found.tables:
        found = table(name, required=0, found=0, values=0)(found)
    status = replace(found.status, comparison=replace(found.status.comparison, values=0))
    return replace(found, counts=CountComparison(), status=status, streamed=None)


ONE = CountedCases(1, ["an example"])
FAULTS: dict[str, Callable[[Findings], Findings]] = {
    "records committed by archive": committed("archive", {0: 0, 1: 0}),
    "offsets committed by archive that nest-logs does not have": committed("archive", {0: 7, 1: 3}),
    "records committed by stats": committed("stats", {}),
    "offsets committed by stats that nest-logs does not have": committed("stats", {0: 5, 2: 1}),
    "records of nest-logs recounted": lambda found: replace(found, records=0),
    "values compared": nothing_compared,
    "table camera": columns("camera", None),
    "columns of camera": columns("camera", ["device_id", "partition", "offset"]),
    "archive rows": table("camera", found=21),
    "archive rows missing": table("camera", missing=ONE),
    "archive rows doubled": table("camera", doubled=ONE),
    "archive rows that nothing in nest-logs has": table("camera", unexpected=ONE),
    "archive values that differ": table("camera", differing=ONE),
    "table quarantine": columns("quarantine", None),
    "columns of quarantine": columns("quarantine", [*QUARANTINE_COLUMNS, "partition"]),
    "quarantine rows": table("quarantine", found=0),
    "quarantine rows missing": table("quarantine", missing=ONE),
    "quarantine rows doubled": table("quarantine", doubled=ONE),
    "quarantine rows that nothing in nest-logs has": table("quarantine", unexpected=ONE),
    "quarantine values that differ": table("quarantine", differing=ONE),
    "counts (zip code and hour)": counts(found=2),
    "counts missing": counts(missing=ONE),
    "counts that differ": counts(differing=ONE),
    "counts that no sighting has": counts(unexpected=ONE),
    "sightings counted": counts(sightings_found=29),
    "sightings that the counts lack": counts(lacking=ONE),
    "records committed by sightings": lambda found: replace(
        committed("sightings", {})(committed_all(found)), must_be_complete=True
    ),
    "offsets committed by sightings that nest-logs does not have": committed("sightings", {0: 7}),
    "sightings in nest-sightings": streamed(found=35),
    "sightings missing in nest-sightings": streamed(missing=ONE),
    "sightings in nest-sightings that do not count": streamed(unexpected=ONE),
    "zip codes that differ in nest-sightings": streamed(misplaced=ONE),
    "table camera_status": status(columns=None),
    "columns of camera_status": status(columns=["device_id", "partition", "offset"]),
    "cameras in camera_status": states(found=6),
    "camera_status rows missing": states(missing=ONE),
    "camera_status rows doubled": states(doubled=ONE),
    "camera_status rows that the archive does not have": states(unexpected=ONE),
    "camera_status values that differ": states(differing=ONE),
    "camera_status rows that are stale": states(stale=ONE),
    "alerts that the archive does not explain": alerts(unexplained=ONE),
    "cameras whose newest alert is not their state": alerts(contradicted=ONE),
}


def broken(findings: Findings) -> list[str]:
    return [each.what for each in compare_all(EXPECTATIONS, findings) if not each.holds]


def test_sound_findings_meet_every_expectation() -> None:
    assert broken(sound()) == []


def test_each_expectation_has_a_fault_that_breaks_it() -> None:
    assert list(FAULTS) == [expectation.what for expectation in EXPECTATIONS]


@pytest.mark.parametrize(("what", "fault"), FAULTS.items())
def test_a_fault_breaks_the_expectation_that_is_about_it_and_no_other(
    what: str, fault: Callable[[Findings], Findings]
) -> None:
    assert broken(fault(sound())) == [what]


def test_the_verdict_shows_most_lines_always_and_some_only_where_they_do_not_hold() -> None:
    shown = {each.what for each in compare_all(EXPECTATIONS, sound())}
    assert set(BY_TEXT) - shown == {
        "offsets committed by archive that nest-logs does not have",
        "offsets committed by stats that nest-logs does not have",
        "offsets committed by sightings that nest-logs does not have",
        "table camera",
        "table quarantine",
        "table camera_status",
    }


def test_the_expectations_of_one_stage_can_be_judged_by_themselves() -> None:
    of_stats = [each for each in EXPECTATIONS if each.stage == Query.STATS]
    findings = table("camera", missing=ONE)(counts(missing=ONE)(sound()))
    assert [each.what for each in compare_all(of_stats, findings) if not each.holds] == [
        "counts missing"
    ]


def test_what_a_query_must_have_committed_depends_on_whether_it_must_be_complete() -> None:
    line = BY_TEXT["records committed by archive"]
    running, bounded = sound(), replace(sound(), must_be_complete=True)
    for findings, expected, holds in ((running, "1 to 10", True), (bounded, "10", False)):
        comparison = line.compare(findings)
        assert comparison is not None
        assert (comparison.expected, comparison.found) == (expected, "8")
        assert comparison.holds is holds


def test_sightings_are_judged_only_where_the_query_is_on() -> None:
    stages = {each.stage for each in EXPECTATIONS}
    findings = replace(sound(), streamed=None)
    shown = {each.what for each in compare_all(EXPECTATIONS, findings)}
    assert Query.SIGHTINGS in stages
    assert not shown & {each.what for each in EXPECTATIONS if each.stage == Query.SIGHTINGS}


def test_alerts_are_compared_only_with_states_that_are_known() -> None:
    findings = status(uncompared_alerts="none is known")(alerts(states=0)(sound()))
    shown = {each.what for each in compare_all(EXPECTATIONS, findings)}
    assert "cameras whose newest alert is not their state" not in shown
    assert "alerts are not compared with camera_status: none is known" in notes(findings)
    assert not any("not compared" in note for note in notes(sound()))


def test_a_lake_without_any_table_is_named() -> None:
    elsewhere = sound()
    for without in (columns("camera", None), columns("quarantine", None), status(columns=None)):
        assert not any("there is no table in" in note for note in notes(elsewhere))
        elsewhere = without(elsewhere)
    assert notes(elsewhere)[0].startswith("there is no table in s3a://nest/lake; if the pipeline")
    nothing_written = replace(elsewhere, committed={})
    assert not any("there is no table in" in note for note in notes(nothing_written))


def test_records_of_nest_sightings_that_are_none_are_noted_only_where_there_are_some() -> None:
    assert not any("nest-sightings" in note for note in notes(sound()))
    unreadable = streamed(unreadable=CountedCases(2, ["offset 7: no value"]))(sound())
    assert "2 records of nest-sightings are no sightings: offset 7: no value" in notes(unreadable)


def test_a_running_query_in_real_time_may_have_committed_nothing_yet() -> None:
    assert broken(committed("sightings", {})(sound())) == []


def test_a_missing_table_has_no_columns_to_compare() -> None:
    findings = columns("camera", None)(sound())
    assert BY_TEXT["columns of camera"].compare(findings) is None
    assert broken(findings) == ["table camera"]


@pytest.mark.parametrize("expectation", EXPECTATIONS, ids=lambda each: each.what)
def test_each_expectation_is_a_line_of_the_page(expectation: Expectation) -> None:
    row = (expectation.stage, expectation.what, expectation.holds_if, expectation.read_from)
    assert f"| {' | '.join(row)} |" in PAGE.read_text().splitlines()


def test_the_page_has_no_line_that_is_no_expectation() -> None:
    stages = {each.stage for each in EXPECTATIONS}
    rows = [line.split(" | ") for line in PAGE.read_text().splitlines() if line.startswith("| ")]
    lines = [row[1] for row in rows if row[0].removeprefix("| ") in stages]
    assert lines == list(BY_TEXT)


def test_a_lake_of_a_version_without_camera_status_is_not_asked_for_it() -> None:
    older = status(columns=None, has_committed=False, comparison=StateComparison(possible=5))
    findings = older(sound())
    assert not any("camera_status" in each.what for each in compare_all(EXPECTATIONS, findings))
    assert "camera_status is not judged" in "\n".join(notes(findings))
    bounded = replace(findings, must_be_complete=True)
    assert "table camera_status" in broken(bounded)
