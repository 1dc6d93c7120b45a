"""The page Cameras against a real lake: missing, filling, broken and full."""

import shutil
from pathlib import Path

from dashboard.views.offline_cameras import offline_csv
from tests.dashboard.page_content import metrics, refresh_until, shows, text_of
from tests.dashboard.sample_lake import after_noon, append_cameras, camera, event


def test_the_page_waits_for_the_lake_and_fills_by_itself(open_page, tmp_path: Path):
    page = open_page("cameras", lake=str(tmp_path))
    refresh_until(page, shows("The lake cannot be read"), "the notice")
    append_cameras(tmp_path)
    refresh_until(page, shows("The archive is empty"), "the empty state")
    append_cameras(tmp_path, camera("a", 0), camera("b", 0, online=False))
    refresh_until(page, lambda page: page.metric, "the metrics")
    assert (metrics(page)["Online"], metrics(page)["Offline"]) == ("1", "1")
    append_cameras(tmp_path, camera("b", 1))
    refresh_until(page, lambda page: metrics(page)["Offline"] == "0", "the camera's return")
    assert "All cameras are online." in text_of(page)
    assert "The archive is not up to date." in text_of(page)
    options = page.selectbox(key="chosen camera").options
    assert sorted(options) == ["a Camera (a)", "b Camera (b)"]


def test_the_offline_list_has_place_and_duration(open_page, tmp_path: Path):
    places = tmp_path / "places.csv"
    places.write_text("device_id,zip_code,city\na,01002,Amherst\n")
    append_cameras(
        tmp_path,
        camera("a", 60, online=False, last_is_online_change=after_noon(10)),
        camera("b", 60, online=False, last_is_online_change=after_noon(50), name_long="<b>x</b>"),
    )
    page = open_page("cameras", lake=str(tmp_path), device_locations=str(places))
    refresh_until(page, lambda page: page.dataframe, "the list")
    rows = page.dataframe[0].value
    assert rows["name"].tolist() == ["<b>x</b>", "a Camera"]
    assert rows["zip_code"].tolist()[1] == "01002"
    assert rows["offline_for"].tolist() == ["10 min", "50 min"]
    assert rows["offline_since"].tolist()[1] == after_noon(10)


def test_the_events_of_one_camera_are_shown_and_its_id_is_kept_in_the_address(
    open_page, tmp_path: Path
):
    append_cameras(
        tmp_path, camera("a", 0, last_event=event(-5)), camera("b", 0, last_event=event(-6))
    )
    page = open_page("cameras", lake=str(tmp_path))
    page.query_params["camera"] = "b"
    refresh_until(page, lambda page: len(page.dataframe) == 1, "the history")
    assert page.dataframe[0].value["kind"].tolist() == ["Person seen", "Came online"]
    page.selectbox(key="chosen camera").set_value("a").run()
    assert page.query_params["camera"] in ("a", ["a"])
    assert page.dataframe[0].value["start_time"].tolist()[0] == after_noon(-5)


def test_while_the_lake_is_missing_the_last_cameras_stay_and_the_page_recovers(
    open_page, tmp_path: Path
):
    lake, aside = tmp_path / "lake", tmp_path / "aside"
    append_cameras(lake, camera("a", 0))
    page = open_page("cameras", lake=str(lake))
    refresh_until(page, lambda page: page.metric, "the metrics")
    shutil.move(lake, aside)
    refresh_until(page, shows("**The lake is unavailable.**"), "the notice")
    assert metrics(page)["Cameras"] == "1"
    shutil.move(aside, lake)
    append_cameras(lake, camera("b", 1))
    refresh_until(page, lambda page: metrics(page)["Cameras"] == "2", "recovery")
    assert "is unavailable" not in text_of(page)


def test_no_text_in_the_download_is_a_formula(open_page, tmp_path: Path):
    bad = camera("@d", 60, online=False, name_long="=HYPERLINK(1)", structure_id="\t+1")
    append_cameras(tmp_path, bad, camera("-e", 60, online=False, name_long="fine"))
    page = open_page("cameras", lake=str(tmp_path))
    refresh_until(page, lambda page: page.dataframe, "the list")
    lines = offline_csv(page.dataframe[0].value).decode().splitlines()[1:]
    assert [(line.split(",")[0], line.split(",")[-2]) for line in sorted(lines)] == [
        ("'=HYPERLINK(1)", "'@d"),
        ("fine", "'-e"),
    ]


def test_an_unknown_camera_in_the_address_is_one_sentence(open_page, tmp_path: Path):
    append_cameras(tmp_path, camera("a", 0))
    page = open_page("cameras", lake=str(tmp_path))
    page.query_params["camera"] = "=no such <b>camera</b>"
    refresh_until(page, shows("No camera with this id has sent a message"), "the sentence")
    assert not page.error
