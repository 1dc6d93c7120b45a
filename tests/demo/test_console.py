"""What comes from outside is printed as it is: a text in brackets gives no style and no error."""

from datetime import UTC, datetime, timedelta

import pytest

from check import Comparison, Verdict
from check.verdict_table import verdict_table
from contract.counts import ReportRow
from contract.stats import StatsKey
from demo.cli.app import new_console
from demo.commands import backfill, doctor_finding, report, storm
from demo.drills.storm import StormRound
from pipeline.commands.backfill import CountDifference

TEXT = "[/b] [unknown] :smile:"
TEN, HOUR = datetime(2026, 11, 20, 10, tzinfo=UTC), timedelta(hours=1)


@pytest.mark.parametrize(
    "shown",
    [
        report.report_table([ReportRow(TEXT, TEN, TEN + HOUR, 7)], 1),
        backfill.differences_table([CountDifference(StatsKey(TEXT, TEN, TEN + HOUR), 7, 8)]),
        doctor_finding.findings_table(
            [doctor_finding.Finding(TEXT, doctor_finding.Severity.OK, "x")]
        ),
        verdict_table(Verdict([Comparison(TEXT, "7", "8", False)], [TEXT], [])),
        report.as_line(ReportRow(TEXT, TEN, TEN + HOUR, 7)),
    ],
)
def test_a_text_in_brackets_is_printed_as_it_is(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, shown: object
) -> None:
    monkeypatch.setenv("COLUMNS", "200")
    new_console().print(shown)
    assert TEXT in capsys.readouterr().out


def test_a_round_of_a_storm_is_printed_as_it_is(capsys: pytest.CaptureFixture[str]) -> None:
    storm._show(StormRound(1, ("kill Kafka",), 10.0, 100, 30, (TEXT,)), new_console())
    printed = capsys.readouterr().out
    assert "100 records, 10 s: does not hold\n" in printed
    assert f"  {TEXT}\n" in printed
