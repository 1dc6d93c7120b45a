"""The tab Time travel of the page Lake."""

import shutil
from datetime import datetime, timedelta
from pathlib import Path

import pytest

from tests.dashboard.page_content import refresh_until, text_of
from tests.sample.lake import append_cameras, camera


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


def test_a_version_of_a_table_that_was_recreated_is_not_that_of_the_old_table(
    open_page, tmp_path: Path
):
    append_cameras(tmp_path, camera("old", 0))
    page = open_page("lake", lake=str(tmp_path))
    refresh_until(page, lambda page: page.dataframe, "the rows")
    assert page.dataframe[-1].value["device_id"].tolist() == ["old"]
    shutil.rmtree(tmp_path / "camera")
    append_cameras(tmp_path, camera("new", 0))

    def shows_the_new_table(page) -> bool:
        return page.dataframe[-1].value["device_id"].tolist() == ["new"]

    refresh_until(page, shows_the_new_table, "the new table")


def test_a_table_is_shown_as_of_a_time(open_page, tmp_path: Path):
    append_cameras(tmp_path, camera("a", 0))
    page = open_page("lake", lake=str(tmp_path))
    refresh_until(page, lambda page: page.number_input, "the choice of a version")
    page.segmented_control(key="by").set_value("time").run()
    now = page.datetime_input(key="at UTC").value
    page.datetime_input(key="at UTC").set_value(now + timedelta(minutes=1)).run()
    assert "**Version 0**" in text_of(page)
    page.datetime_input(key="at UTC").set_value(now - timedelta(days=1)).run()
    assert "At that time the table had no version" in text_of(page)
    assert not page.exception


def test_the_address_keeps_the_version_or_time(open_page, tmp_path: Path):
    append_cameras(tmp_path, camera("a", 0))
    append_cameras(tmp_path, camera("a", 1))
    page = open_page("lake", lake=str(tmp_path))
    page.query_params["version"] = "0"
    refresh_until(page, lambda page: page.number_input, "the choice of a version")
    assert "**Version 0**" in text_of(page)
    page.number_input(key="version").set_value(7).run()
    assert page.query_params["version"] in ("7", ["7"])
    page.number_input(key="version").set_value(1).run()
    assert "version" not in page.query_params
    page.segmented_control(key="by").set_value("time").run()
    page.datetime_input(key="at UTC").set_value(datetime(2026, 11, 19, 8, 30)).run()
    assert page.query_params["at"] in ("2026-11-19T08:30Z", ["2026-11-19T08:30Z"])


@pytest.mark.parametrize(
    ("name", "value", "sentence"),
    [
        ("version", "999999", "because the table's newest version is 0."),
        ("version", "-1", "The version in the address is not a whole number"),
        ("version", "<b>1e999</b>", "The version in the address is not a whole number"),
        ("by", "nothing", "version or time in the address is not one of version, time"),
        ("table", "<b>", "The table in the address is not one of camera,"),
        ("tab", "<b>", "The tab in the address is not one of Tables, Time travel, Quarantine"),
        ("at", "0001-01-01T00:00Z", "The time in the address is not a time between 1970"),
    ],
)
def test_what_the_page_cannot_use_of_an_address_is_one_sentence(
    open_page, tmp_path: Path, name: str, value: str, sentence: str
):
    append_cameras(tmp_path, camera("a", 0))
    page = open_page("lake", lake=str(tmp_path))
    page.query_params[name] = value
    refresh_until(page, lambda page: page.number_input, "the choice of a version")
    notices = [each.value for each in page.info]
    assert [each for each in notices if sentence in each]
    assert not [each for each in notices if value in each]
    assert not page.error
