"""The page Report against a real Kafka, run the way Streamlit runs it for a viewer."""

import re
from datetime import UTC, datetime
from pathlib import Path

import pytest

from contract.counts import Counts, report
from contract.topics import CAMERA_STATS
from dashboard.data.counts import counts_view
from dashboard.data.csv_files import report_csv
from dashboard.widgets.hour_player import _BEGAN
from demo.commands.report import as_csv
from demo.stack.ports import free_port
from tests.dashboard.page_content import metrics, refresh_until, shows, text_of
from tests.fixtures.kafka import GIVES_UP_SOON
from tests.sample.counts import count, key, send_counts
from tests.sample.odd_timestamps import remove_guards, send_with_odd_timestamps


@pytest.mark.kafka
def test_without_counts_the_page_names_the_commands_that_produce_them(open_page, fresh_topics):
    page = refresh_until(
        open_page(bootstrap_servers=fresh_topics), shows("There are no counts yet"), "the notice"
    )
    assert "nest up" in text_of(page)
    assert not page.metric
    assert not page.dataframe
    assert not page.warning


@pytest.mark.kafka
def test_the_page_fills_by_itself_and_shows_the_newest_count_of_each_hour(open_page, fresh_topics):
    page = open_page(bootstrap_servers=fresh_topics)
    refresh_until(page, shows("There are no counts yet"), "the notice")
    send_counts(
        fresh_topics, count("94304", 0, 900), count("94304", 1, 1000), count("unknown", 0, 1001)
    )
    refresh_until(page, lambda page: page.metric, "the first counts")
    totals = metrics(page)
    assert (totals["Sightings"], totals["Report rows"], totals["Zip codes"]) == ("2,901", "1", "1")
    notes = {metric.label.split(",")[0]: metric.delta for metric in page.metric}
    assert notes["Sightings"] == "since 20 Nov 12:00"
    assert notes["Zip codes"] == "and unknown"
    assert re.search(r"Counts updated (just now|\d+ s ago)", text_of(page))
    send_counts(fresh_topics, count("94304", 0, 1234))
    refresh_until(page, lambda page: metrics(page)["Sightings"] == "3,235", "the new count")
    by_key = {key("94304", 0): 1234, key("94304", 1): 1000, key("unknown", 0): 1001}
    cities = {"94304": "Palo Alto 94304"}
    expected = [
        [cities.get(r.zip_code, r.zip_code), r.window_start, r.count] for r in report(by_key, 1000)
    ]
    assert page.dataframe[0].value.to_numpy().tolist() == expected
    assert "Times are in UTC" in text_of(page)


@pytest.mark.kafka
def test_a_changed_threshold_changes_the_report_and_the_address(open_page, fresh_topics):
    send_counts(fresh_topics, *(count("94304", hour, hour) for hour in range(10)))
    page = open_page(bootstrap_servers=fresh_topics, threshold="5")
    refresh_until(page, lambda page: page.metric, "the counts")
    assert page.number_input(key="threshold").value == 5
    assert metrics(page)["Report rows"] == "4"
    page.number_input(key="threshold").set_value(7).run()
    assert page.dataframe[0].value["count"].tolist() == [9, 8]
    assert page.query_params["threshold"] == "7"
    page.number_input(key="threshold").set_value(9).run()
    assert not page.dataframe
    notice = "No zip code has more than 9 sightings in an hour. The highest count is 9."
    assert notice in text_of(page)


@pytest.mark.kafka
@pytest.mark.parametrize(("value", "threshold"), [("7", 7), ("1e999", 5)])
def test_a_threshold_in_the_address_is_used_if_it_is_a_whole_number(
    open_page, fresh_topics, value, threshold
):
    page = open_page(bootstrap_servers=fresh_topics, threshold="5")
    page.query_params["threshold"] = value
    page.run()
    assert not page.exception
    assert page.number_input(key="threshold").value == threshold


@pytest.mark.kafka
@pytest.mark.parametrize(("name", "value"), [("from", "0001-01-01T00:00+14:00"), ("to", "soon")])
def test_a_time_that_cannot_be_chosen_is_one_sentence(
    open_page, bootstrap_servers: str, name: str, value: str
):
    page = open_page(bootstrap_servers=bootstrap_servers)
    page.query_params["hours"] = "From/to"
    page.query_params[name] = value
    page.run()
    assert not page.exception
    assert not page.error
    assert f"The {name} in the address is not a time between 1970 and 9999" in text_of(page)


@pytest.mark.kafka
def test_times_near_the_ends_of_the_calendar_can_be_chosen(open_page, bootstrap_servers: str):
    page = open_page(bootstrap_servers=bootstrap_servers)
    page.query_params["hours"] = "From/to"
    page.query_params["from"] = "1970-01-02T00:00Z"
    page.query_params["to"] = "9999-12-30T00:00Z"
    page.run()
    assert not page.exception
    assert "in the address" not in text_of(page)


@pytest.mark.kafka
def test_a_reversed_range_is_one_sentence(open_page, bootstrap_servers: str):
    page = open_page(bootstrap_servers=bootstrap_servers)
    page.query_params["hours"] = "From/to"
    page.query_params["from"] = "2026-11-21T00:00Z"
    page.query_params["to"] = "2026-11-20T00:00Z"
    page.run()
    assert not page.exception
    assert not page.error
    assert "the time From is not before the time To" in text_of(page)


@pytest.mark.kafka
@pytest.mark.parametrize(
    ("name", "value", "sentence"),
    [
        ("threshold", "<b>many</b>", "threshold in the address is not a whole number from 0 to"),
        ("hours", "<b>never</b>", "hours in the address is not one of 24 h, 3 days, 7 days"),
    ],
)
def test_a_choice_in_the_address_that_there_is_not_is_one_sentence(
    open_page, bootstrap_servers: str, name: str, value: str, sentence: str
):
    page = open_page(bootstrap_servers=bootstrap_servers)
    page.query_params[name] = value
    page.run()
    (notice,) = [each.value for each in page.info if "in the address" in each.value]
    assert sentence in notice
    assert value not in notice
    assert not page.exception


@pytest.mark.kafka
def test_places_have_their_city_and_can_be_found_by_it(open_page, fresh_topics, tmp_path: Path):
    places = tmp_path / "places.csv"
    places.write_text("device_id,zip_code,city\na,94304,Palo Alto\nb,94043,\n")
    send_counts(fresh_topics, count("94304", 0, 2000), count("94043", 0, 1500))
    page = open_page(bootstrap_servers=fresh_topics, device_locations=str(places))
    refresh_until(page, lambda page: page.metric, "the counts")
    assert page.dataframe[0].value["place"].tolist() == ["Palo Alto 94304", "94043"]
    assert "Palo Alto 94304</strong>" in page.get("html")[0].value
    assert page.multiselect(key="zip").options == ["94043", "Palo Alto 94304"]
    page.multiselect(key="zip").set_value(["94304"]).run()
    assert page.query_params["zip"] in ("94304", ["94304"])
    assert metrics(page)["Sightings"] == "2,000"
    assert "in the address" not in text_of(page)


@pytest.mark.kafka
def test_a_film_ends_where_there_is_nothing_to_play(open_page, fresh_topics):
    send_counts(fresh_topics, count("94304", 0, 2000))
    page = open_page(bootstrap_servers=fresh_topics)
    page.query_params["zip"] = ["99999"]
    nothing = shows("There are no counts for the selected hours")
    refresh_until(page, nothing, "the empty selection")
    page.session_state[_BEGAN] = datetime.now(UTC)
    page.run()
    assert nothing(page)
    assert _BEGAN not in page.session_state


@pytest.mark.kafka
def test_a_zip_code_that_no_camera_has_is_said_to_be_unknown(
    open_page, fresh_topics, tmp_path: Path
):
    places = tmp_path / "places.csv"
    places.write_text("device_id,zip_code\na,94304\n")
    send_counts(fresh_topics, count("94304", 0, 2000))
    page = open_page(bootstrap_servers=fresh_topics, device_locations=str(places))
    page.query_params["zip"] = ["99999"]
    refresh_until(page, shows("There are no counts for the selected hours"), "the empty selection")
    page.run()
    assert "No camera in the device locations has the zip code in the address." in text_of(page)
    (sentence,) = [each.value for each in page.get("html") if "No sighting" in str(each.value)]
    assert "No sighting in the selected hours and zip codes." in sentence


@pytest.mark.kafka
def test_invalid_records_are_shown_and_the_others_are_counted(open_page, fresh_topics):
    invalid = [
        (b"not a key", b"5"),
        (count("94304", 0, 0)[0], b"many"),
        (b'{"zip_code":"1","window":{"start":"0001-01-01T00:00:00+14:00","end":""}}', b"1"),
        (count("94304", 3, 0)[0], b"9" * 30),
    ]
    send_counts(fresh_topics, count("94304", 0, 2000), *invalid, count("94305", 0, 2000))
    page = open_page(bootstrap_servers=fresh_topics)
    refresh_until(page, lambda page: page.metric, "the counts")
    assert metrics(page)["Sightings"] == "4,000"
    assert "**4 records of nest-camera-stats are invalid.**" in text_of(page)
    assert "partition 0 offset 1: not a key" in text_of(page)
    assert "partition 0 offset 2: not a count: 'many'" in text_of(page)


@pytest.mark.kafka
def test_timestamps_that_no_clock_gives_do_not_break_the_page(open_page, fresh_topics):
    remove_guards(fresh_topics, CAMERA_STATS.name)
    send_with_odd_timestamps(fresh_topics, CAMERA_STATS.name, *count("94304", 0, 2000))
    page = open_page(bootstrap_servers=fresh_topics)
    refresh_until(page, lambda page: page.metric, "the counts")
    assert metrics(page)["Sightings"] == "2,000"
    assert not page.warning


@pytest.mark.kafka
def test_text_from_the_topic_is_shown_as_it_is(open_page, fresh_topics):
    zip_code = "<script>alert(1)</script> **bold** :red[x] [a](http://b) $x$"
    send_counts(fresh_topics, count(zip_code, 0, 2000), (zip_code.encode(), b"1"))
    page = open_page(bootstrap_servers=fresh_topics)
    refresh_until(page, lambda page: page.metric, "the counts")
    assert page.dataframe[0].value["place"].tolist() == [zip_code]
    interpreted = [*page.markdown, *page.caption, *page.warning, *page.info, *page.header]
    assert not any("script" in element.value for element in interpreted)
    assert not any("script" in metric.label + metric.value for metric in page.metric)


@pytest.mark.kafka
def test_without_coordinates_the_page_shows_why_there_is_no_map(open_page, fresh_topics, tmp_path):
    places = tmp_path / "places.csv"
    places.write_text("device_id,zip_code\na,94304\n")
    send_counts(fresh_topics, count("94304", 0, 2000))
    page = open_page(bootstrap_servers=fresh_topics, device_locations=str(places))
    refresh_until(page, lambda page: page.metric, "the counts")
    assert "There is no map" in text_of(page)
    assert "has no column latitude and no longitude" in text_of(page)
    assert metrics(page)["Sightings"] == "2,000"


@pytest.mark.kafka
def test_where_no_place_of_the_counts_has_coordinates_an_hour_can_be_chosen(
    open_page, fresh_topics, tmp_path: Path
):
    places = tmp_path / "places.csv"
    places.write_text("device_id,zip_code,city,latitude,longitude\na,94304,Palo Alto,37.4,-122.1\n")
    hour = -24_000  # long ago, by any clock
    send_counts(fresh_topics, count("unknown", hour, 2000), count("unknown", hour + 1, 1500))
    page = open_page(bootstrap_servers=fresh_topics, device_locations=str(places))
    refresh_until(page, lambda page: page.metric, "the counts")
    start = key("unknown", hour).start
    page.select_slider(key="hour on the map").set_value(start).run()
    assert not page.exception
    assert f"Sightings by zip code, {start:%a %H:%M}" in [each.value for each in page.header]
    assert "The device locations have no coordinates" in text_of(page)


def test_without_kafka_the_page_shows_the_address_and_what_to_do(open_page):
    unused = f"127.0.0.1:{free_port()}"
    page = open_page(bootstrap_servers=unused, kafka_options=GIVES_UP_SOON)
    refresh_until(page, shows("Kafka cannot be read"), "the notice")
    assert f"No Kafka broker answers at {unused}" in text_of(page)
    assert "nest broker" in text_of(page)
    assert not page.metric


def test_a_wrong_setting_is_named_with_its_value(open_page):
    page = open_page(threshold="many").run()
    assert not page.exception
    assert "cannot start with these settings" in text_of(page)
    assert "NEST_THRESHOLD=many" in text_of(page)
    assert not page.number_input


def test_the_download_is_what_the_command_line_prints():
    zip_codes = ["94304", "01002", "=1+1", "-2", "@SUM(A1)", "+3", "\tx", "\r=4", 'a,"b"']
    by_key = {key(each, 0): 1234 + number for number, each in enumerate(zip_codes)}
    by_key[key("94304", -17_755_000)] = 1111  # in the year 1
    printed = as_csv(report(by_key, 1000))
    rows = counts_view(Counts(by_key=by_key)).report(1000)
    assert report_csv(rows).decode().rstrip("\n") == printed


def test_no_text_in_the_download_is_a_formula_and_numbers_stay_numbers():
    rows = counts_view(Counts(by_key={key("=1+1", 0): 1234})).report(1000)
    start, end = "2026-11-20T12:00:00Z", "2026-11-20T13:00:00Z"
    assert report_csv(rows).decode().splitlines()[1] == f"'=1+1,{start},{end},1234"
