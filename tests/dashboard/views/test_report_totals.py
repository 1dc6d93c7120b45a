"""The figures of the last full hour and of the newest one."""

from datetime import timedelta
from zoneinfo import ZoneInfo

import pandas as pd

from contract.counts import Counts
from dashboard.data.counts import counts_view
from dashboard.views.report_totals import hour_metrics
from tests.sample.counts import key
from tests.sample.lake import NOON

UTC = ZoneInfo("UTC")
LATENESS = timedelta(hours=1)
ROWS = counts_view(Counts(by_key={key("1", hour): 10 + hour for hour in range(5)})).rows


def shown(rows: pd.DataFrame, hours_after_noon: float) -> list[tuple[str, str, str | None]]:
    now = NOON + timedelta(hours=hours_after_noon)
    metrics = hour_metrics(rows, ROWS, now, UTC, lateness=LATENESS)
    return [(each.label, each.value, each.note) for each in metrics]


def test_the_newest_hour_is_open_until_no_message_of_it_can_count() -> None:
    full = ("Last full hour, 15:00", "13", None)
    for hours, note in ((4.5, "so far"), (5.9, "so far"), (6, None)):
        assert shown(ROWS, hours) == [full, ("Newest hour, 16:00", "14", note)]


def test_the_figures_name_another_day_than_today() -> None:
    for hours, day in ((28.5, "Fri"), (24 * 7, "20 Nov")):
        assert shown(ROWS, hours) == [
            (f"Last full hour, {day} 15:00", "13", None),
            (f"Newest hour, {day} 16:00", "14", None),
        ]


def test_an_hour_has_one_figure_only() -> None:
    selected = ROWS[ROWS["start"] < NOON + timedelta(hours=2)]
    assert shown(selected, 4.5) == [("Last full hour, 13:00", "11", None)]
