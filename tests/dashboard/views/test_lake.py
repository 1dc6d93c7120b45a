"""The page Lake against a real lake: missing, broken and full."""

from pathlib import Path

from deltalake import DeltaTable

from contract.glossary import meaning
from dashboard.data.csv_files import offline_cameras_csv
from tests.dashboard.page_content import metrics, refresh_until, shows, text_of
from tests.sample.lake import append_cameras, append_quarantine, append_status, camera, rejected


def rows_of_first_table(page) -> str:
    return next(metric.value for metric in page.metric if metric.label == "Rows")


def test_the_page_shows_tables_history_and_compactions(open_page, tmp_path: Path):
    for minute in range(3):
        append_cameras(tmp_path, camera("a", minute))
    append_quarantine(tmp_path)
    page = open_page("lake", lake=str(tmp_path))
    refresh_until(page, lambda page: page.metric, "the metrics")
    assert rows_of_first_table(page) == "3"
    assert page.metric[0].help == meaning("version")
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
    refresh_until(
        page, lambda page: [len(tab.warning) for tab in page.tabs] == [1, 1, 1], "each tab's notice"
    )
    assert "**The lake is unavailable.**" in text_of(page)
    assert "cannot be read" in text_of(page)
    assert rows_of_first_table(page) == "1"
    broken.unlink()
    append_cameras(tmp_path, camera("a", 1))
    refresh_until(page, lambda page: rows_of_first_table(page) == "2", "recovery")


def test_a_damaged_old_commit_leaves_a_table_without_its_history(open_page, tmp_path: Path):
    for minute in range(2):
        append_cameras(tmp_path, camera("a", minute))
    DeltaTable(tmp_path / "camera").create_checkpoint()
    (tmp_path / "camera" / "_delta_log" / f"{0:020}.json").write_text("torn")
    page = open_page("lake", lake=str(tmp_path))
    refresh_until(page, lambda page: page.metric, "the metrics")
    assert rows_of_first_table(page) == "2"
    assert "The history cannot be read" in text_of(page)


def test_the_page_waits_for_the_first_table_and_then_offers_it(open_page, tmp_path: Path):
    page = open_page("lake", lake=str(tmp_path))
    refresh_until(page, shows("There is no table yet"), "the notice")
    assert not page.metric
    assert not page.warning, "nothing is wrong"
    append_cameras(tmp_path, camera("a", 0))
    refresh_until(page, lambda page: page.metric, "the metrics")
    assert page.selectbox(key="table").options == ["camera"]


def test_instants_beyond_the_calendar_do_not_break_the_pages(open_page, tmp_path: Path):
    far = [-(10**17), 9 * 10**17, None]  # microseconds: years -1199 and 30489
    for number, timestamp in enumerate(far):
        instants = {"timestamp": timestamp, "last_is_online_change": timestamp}
        row = camera("a", number, online=False, **instants, last_event={"start_time": timestamp})
        append_cameras(tmp_path, row)
        append_quarantine(tmp_path, {**rejected("malformed", number), "timestamp": timestamp})
    others = (
        camera(
            "b", 1, online=False, last_is_online_change=far[0], last_event={"start_time": far[1]}
        ),
        camera("c", 1, online=False, last_is_online_change=far[1], last_event={"end_time": far[0]}),
    )
    append_cameras(tmp_path, *others)
    append_status(tmp_path, row, camera("d", 1, online=False, timestamp=far[0]), *others)
    page = open_page("lake", lake=str(tmp_path))
    refresh_until(page, lambda page: metrics(page).get("malformed") == "3", "the reasons")
    assert not page.warning
    assert "no usable timestamp" in "".join(each.label for each in page.expander)
    rows = page.dataframe[-1].value
    assert sorted(rows["device_id"]) == ["a", "a", "a", "b", "c"]
    cameras = open_page("cameras", lake=str(tmp_path))
    refresh_until(cameras, lambda page: page.dataframe, "the list")
    assert sorted(cameras.dataframe[0].value["device_id"]) == ["a", "b", "c", "d"]
    assert len(offline_cameras_csv(cameras.dataframe[0].value).splitlines()) == 5
