"""The page Cameras against a real lake: missing, filling, broken and full."""

import shutil
from pathlib import Path

import pytest

from dashboard.data.csv_files import offline_cameras_csv
from tests.dashboard.page_content import metrics, refresh_until, shows, text_of
from tests.sample.alerts import alert, send_alerts
from tests.sample.lake import (
    after_noon,
    append_cameras,
    append_status,
    camera,
    event,
    replace_status,
)

pytestmark = pytest.mark.kafka


@pytest.fixture
def open_cameras(open_page, fresh_topics):
    """Open the page on a lake and a Kafka whose topics are empty."""
    return lambda **settings: open_page("cameras", bootstrap_servers=fresh_topics, **settings)


def test_the_page_waits_for_the_lake_and_fills_by_itself(open_cameras, tmp_path: Path):
    page = open_cameras(lake=str(tmp_path))
    refresh_until(page, shows("There is no table camera_status yet"), "the notice")
    assert not page.warning
    append_status(tmp_path)
    refresh_until(page, shows("There is no camera yet"), "the empty state")
    append_status(tmp_path, camera("a", 0), camera("b", 0, online=False))
    refresh_until(page, lambda page: page.metric, "the metrics")
    assert (metrics(page)["Online"], metrics(page)["Offline"]) == ("1", "1")
    replace_status(tmp_path, camera("a", 0), camera("b", 1))
    refresh_until(page, lambda page: metrics(page)["Offline"] == "0", "the camera's return")
    assert "All cameras are online." in text_of(page)
    assert "The states are not up to date." in text_of(page)
    assert "There are no alerts." in text_of(page)
    options = page.selectbox(key="chosen camera").options
    assert sorted(options) == ["a Camera (a)", "b Camera (b)"]


def test_the_alerts_are_shown_once_each_the_newest_first(
    open_cameras, fresh_topics, tmp_path: Path
):
    places = tmp_path / "places.csv"
    places.write_text("device_id,zip_code,city,latitude,longitude\na,01002,Amherst,42.4,-72.5\n")
    append_status(tmp_path, camera("a", 0))
    went = alert("offline", 10, zip_code="01002", name="<b>x</b>", was_online_for_s=7200.0)
    send_alerts(fresh_topics, went, alert("silent", 20), went, b"no alert")
    page = open_cameras(lake=str(tmp_path), device_locations=str(places))
    refresh_until(page, lambda page: page.dataframe, "the list")
    rows = page.dataframe[0].value
    assert rows["what"].tolist() == ["Has gone silent", "Went offline"]
    assert rows["before"].tolist() == ["", "online for 2 h"]
    assert rows["name"].tolist()[1] == "<b>x</b>"
    assert rows["city"].tolist()[1] == "Amherst"
    assert rows["since"].tolist()[1] == after_noon(10)
    assert "1 record of nest-camera-alerts cannot be read" in text_of(page)
    send_alerts(fresh_topics, alert("online", 30))
    refresh_until(page, lambda page: len(page.dataframe[0].value) == 3, "the new alert")


def test_the_offline_list_has_place_and_duration(open_cameras, tmp_path: Path):
    places = tmp_path / "places.csv"
    places.write_text("device_id,zip_code,city\na,01002,Amherst\n")
    append_status(
        tmp_path,
        camera("a", 60, online=False, last_is_online_change=after_noon(10)),
        camera("b", 60, online=False, last_is_online_change=after_noon(50), name_long="<b>x</b>"),
        camera("c", 60, online=False, last_is_online_change=after_noon(70)),  # its clock is ahead
    )
    page = open_cameras(lake=str(tmp_path), device_locations=str(places))
    refresh_until(page, lambda page: page.dataframe, "the list")
    rows = page.dataframe[0].value
    assert rows["name"].tolist() == ["c Camera", "<b>x</b>", "a Camera"]
    assert rows["zip_code"].tolist()[2] == "01002"
    assert rows["offline_for"].tolist() == ["0.0 s", "10 min", "50 min"]
    assert rows["offline_since"].tolist()[2] == after_noon(10)
    assert next(each.delta for each in page.metric if each.value == "3") == "2 without a place"


def test_a_camera_that_does_not_tell_since_when_it_is_offline_is_not_said_to_be_long(
    open_cameras, tmp_path: Path
):
    append_status(
        tmp_path,
        camera("a", 60, online=False, last_is_online_change=after_noon(0)),
        camera("b", 60, online=False, last_is_online_change=after_noon(1)),
        camera("c", 60, online=False, last_is_online_change=None),
    )
    page = open_cameras(lake=str(tmp_path))
    refresh_until(page, lambda page: page.metric, "the metrics")
    assert (metrics(page)["Offline"], metrics(page)["Offline over 1 hour"]) == ("3", "1")


def test_a_camera_whose_state_is_not_known_is_not_said_to_be_online(open_cameras, tmp_path: Path):
    append_status(tmp_path, camera("a", 0), camera("b", 0, is_online=None))
    page = open_cameras(lake=str(tmp_path))
    refresh_until(page, lambda page: page.metric, "the metrics")
    assert (metrics(page)["Online"], metrics(page)["Offline"]) == ("1", "0")
    assert "All cameras are online." not in text_of(page)
    assert "offline. Of 1 camera the state is not known." in text_of(page)


def test_a_zip_code_without_a_camera_is_not_said_to_be_online(open_cameras, tmp_path: Path):
    places = tmp_path / "places.csv"
    places.write_text("device_id,zip_code\na,01002\n")
    append_status(tmp_path, camera("a", 0))
    page = open_cameras(lake=str(tmp_path), device_locations=str(places))
    page.query_params["zip"] = "00000"
    refresh_until(page, lambda page: page.metric, "the metrics")
    assert metrics(page)["Cameras"] == "0"
    assert "No camera there has sent a message." in text_of(page)
    assert "All cameras are online." not in text_of(page)
    assert "No camera in the device locations has the zip code in the address." in text_of(page)


def test_the_events_of_one_camera_are_shown_and_its_id_is_kept_in_the_address(
    open_cameras, tmp_path: Path
):
    rows = camera("a", 0, last_event=event(-5)), camera("b", 0, last_event=event(-6))
    append_cameras(tmp_path, *rows)
    append_status(tmp_path, *rows)
    page = open_cameras(lake=str(tmp_path))
    page.query_params["camera"] = "b"
    refresh_until(page, lambda page: len(page.dataframe) == 1, "the history")
    assert page.dataframe[0].value["kind"].tolist() == ["Person seen", "Came online"]
    page.selectbox(key="chosen camera").set_value("a").run()
    assert page.query_params["camera"] in ("a", ["a"])
    assert page.dataframe[0].value["start_time"].tolist()[0] == after_noon(-5)


def test_while_the_lake_is_missing_the_last_cameras_stay_and_the_page_recovers(
    open_cameras, tmp_path: Path
):
    lake, aside = tmp_path / "lake", tmp_path / "aside"
    append_status(lake, camera("a", 0))
    page = open_cameras(lake=str(lake))
    refresh_until(page, lambda page: page.metric, "the metrics")
    shutil.move(lake, aside)
    refresh_until(page, shows("**The lake is unavailable.**"), "the notice")
    assert metrics(page)["Cameras"] == "1"
    shutil.move(aside, lake)
    append_status(lake, camera("b", 1))
    refresh_until(page, lambda page: metrics(page)["Cameras"] == "2", "recovery")
    assert "is unavailable" not in text_of(page)


def test_no_text_in_the_download_is_a_formula(open_cameras, tmp_path: Path):
    bad = camera("@d", 60, online=False, name_long="=HYPERLINK(1)", structure_id="\t+1")
    append_status(tmp_path, bad, camera("-e", 60, online=False, name_long="fine"))
    page = open_cameras(lake=str(tmp_path))
    refresh_until(page, lambda page: page.dataframe, "the list")
    lines = offline_cameras_csv(page.dataframe[0].value).decode().splitlines()[1:]
    assert [(line.split(",")[0], line.split(",")[-2]) for line in sorted(lines)] == [
        ("'=HYPERLINK(1)", "'@d"),
        ("fine", "'-e"),
    ]


def test_no_text_in_a_headline_is_markdown(open_cameras, tmp_path: Path):
    name = "[Log in](http://evil)\n\n![](http://evil/p.png)"
    append_cameras(tmp_path, camera("a", 0, name_long=name))
    append_status(tmp_path, camera("a", 0, name_long=name))
    page = open_cameras(lake=str(tmp_path))
    page.query_params["camera"], page.query_params["zip"] = "a", "[a](http://evil)"
    refresh_until(page, lambda page: len(page.header) > 1, "the headlines")
    shown = "\n".join(header.value for header in page.header)
    assert r"\[Log in\]\(http\://evil\) \!\[\]\(http\://evil/p\.png\)" in shown
    assert r"Cameras in \[a\]\(http\://evil\)" in shown


def test_an_unknown_camera_in_the_address_is_one_sentence(open_cameras, tmp_path: Path):
    append_cameras(tmp_path, camera("a", 0))
    append_status(tmp_path, camera("a", 0))
    page = open_cameras(lake=str(tmp_path))
    page.query_params["camera"] = "=no such <b>camera</b>"
    refresh_until(page, shows("No camera with this id has sent a message"), "the sentence")
    assert not page.error
