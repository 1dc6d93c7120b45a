"""The tab Time travel of the page Lake."""

from datetime import timedelta
from pathlib import Path

from tests.dashboard.page_content import refresh_until, text_of
from tests.dashboard.sample_lake import append_cameras, camera


def test_a_table_is_shown_as_of_a_version(open_page, tmp_path: Path):
    append_cameras(tmp_path, camera("a", 0))
    append_cameras(tmp_path, camera("a", 1), camera("b", 1))
    page = open_page("lake", lake=str(tmp_path))
    refresh_until(page, lambda page: page.number_input, "the choice of a version")
    page.number_input(key="version").set_value(0).run()
    assert "**Version 0**" in text_of(page)
    assert page.dataframe[-1].value["device_id"].tolist() == ["a"]
    page.number_input(key="version").set_value(99).run()
    assert "This version cannot be read" in text_of(page)
    page.number_input(key="version").set_value(999_999).run()
    assert "because the table's newest version is 1." in text_of(page)
    assert not page.code
    assert not page.exception


def test_a_table_is_shown_as_of_a_time(open_page, tmp_path: Path):
    append_cameras(tmp_path, camera("a", 0))
    page = open_page("lake", lake=str(tmp_path))
    refresh_until(page, lambda page: page.number_input, "the choice of a version")
    page.segmented_control(key="by").set_value("time").run()
    now = page.datetime_input(key="at").value
    page.datetime_input(key="at").set_value(now + timedelta(minutes=1)).run()
    assert "**Version 0**" in text_of(page)
    page.datetime_input(key="at").set_value(now - timedelta(days=1)).run()
    assert "At that time the table had no version" in text_of(page)
    assert not page.exception
