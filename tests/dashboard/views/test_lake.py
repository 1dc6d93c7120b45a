"""The page Lake against a real lake: missing, broken and full."""

from pathlib import Path

from deltalake import DeltaTable

from tests.dashboard.page_content import refresh_until, shows, text_of
from tests.dashboard.sample_lake import append_cameras, append_quarantine, camera


def rows_of_first_table(page) -> str:
    return next(metric.value for metric in page.metric if metric.label == "Rows")


def test_the_page_shows_tables_history_and_compactions(open_page, tmp_path: Path):
    for minute in range(3):
        append_cameras(tmp_path, camera("a", minute))
    append_quarantine(tmp_path)
    page = open_page("lake", lake=str(tmp_path))
    refresh_until(page, lambda page: page.metric, "the metrics")
    assert rows_of_first_table(page) == "3"
    assert len(page.dataframe[0].value) == 3
    DeltaTable(tmp_path / "camera").optimize.compact()
    refresh_until(page, shows("compacted 3 files into 1"), "the compaction")
    assert page.dataframe[0].value["operation"].tolist()[0] == "OPTIMIZE"


def test_a_broken_table_gives_a_notice_and_the_last_numbers_stay(open_page, tmp_path: Path):
    append_cameras(tmp_path, camera("a", 0))
    page = open_page("lake", lake=str(tmp_path))
    refresh_until(page, lambda page: page.metric, "the metrics")
    broken = tmp_path / "camera" / "_delta_log" / f"{1:020}.json"
    broken.write_text("broken")
    refresh_until(page, shows("**The lake is unavailable.**"), "the notice")
    assert "cannot be read" in text_of(page)
    assert rows_of_first_table(page) == "1"
    broken.unlink()
    append_cameras(tmp_path, camera("a", 1))
    refresh_until(page, lambda page: rows_of_first_table(page) == "2", "recovery")


def test_the_page_waits_for_the_first_table_and_then_offers_it(open_page, tmp_path: Path):
    page = open_page("lake", lake=str(tmp_path))
    refresh_until(page, shows("There is no table yet"), "the notice")
    assert not page.metric
    append_cameras(tmp_path, camera("a", 0))
    refresh_until(page, lambda page: page.metric, "the metrics")
    assert page.selectbox(key="table").options == ["camera"]
