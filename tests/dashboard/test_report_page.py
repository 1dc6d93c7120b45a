"""The report page against a real Kafka, run the way Streamlit runs it for a viewer."""

from datetime import timedelta
from pathlib import Path

import pytest
from kafka import KafkaAdminClient

from contract.counts import report
from contract.settings import load_settings
from contract.topics import create_topics
from dashboard.widgets.notices import SILENCE
from demo.stack.broker import Broker
from demo.stack.ports import free_port
from tests.dashboard.count_records import count, key, send
from tests.dashboard.page_content import figures, refresh_until, says, words


@pytest.mark.kafka
def test_before_anything_is_counted_the_page_says_so_and_what_to_do(open_page, fresh_topics):
    page = refresh_until(
        open_page(bootstrap_servers=fresh_topics), says("Nothing is counted yet"), "the empty state"
    )
    assert "nest up" in words(page)
    assert not page.metric
    assert not page.dataframe
    assert not page.warning


@pytest.mark.kafka
def test_the_page_fills_by_itself_and_shows_the_newest_count_of_each_hour(open_page, fresh_topics):
    page = open_page(bootstrap_servers=fresh_topics)
    refresh_until(page, says("Nothing is counted yet"), "the empty state")
    send(fresh_topics, count("94304", 0, 900), count("94304", 1, 1000), count("unknown", 0, 1001))
    refresh_until(page, lambda page: page.metric, "the first counts")
    shown = figures(page)
    assert (shown["Sightings"], shown["Reported"], shown["Zip codes"]) == ("2,901", "1", "2")
    assert "Last count just now" in words(page)
    send(fresh_topics, count("94304", 0, 1234))
    refresh_until(page, lambda page: figures(page)["Sightings"] == "3,235", "the new count")
    by_key = {key("94304", 0): 1234, key("94304", 1): 1000, key("unknown", 0): 1001}
    expected = [[r.zip_code, r.window_start, r.count] for r in report(by_key, 1000)]
    assert page.dataframe[0].value.to_numpy().tolist() == expected
    assert "Hours are in UTC" in words(page)


@pytest.mark.kafka
def test_a_changed_threshold_changes_the_report_and_the_address(open_page, fresh_topics):
    send(fresh_topics, *(count("94304", hour, hour) for hour in range(10)))
    page = open_page(bootstrap_servers=fresh_topics, threshold="5")
    refresh_until(page, lambda page: page.metric, "the counts")
    assert page.number_input(key="threshold").value == 5
    assert figures(page)["Reported"] == "4"
    page.number_input(key="threshold").set_value(7).run()
    assert page.dataframe[0].value["count"].tolist() == [9, 8]
    assert page.query_params["threshold"] == "7"
    page.number_input(key="threshold").set_value(9).run()
    assert not page.dataframe
    assert "No zip code had more than 9 sightings in an hour. The most so far is 9." in words(page)


@pytest.mark.kafka
@pytest.mark.parametrize(
    ("asked", "shown"), [("7", 7), ("0", 0), ("-1", 5), ("a<b>", 5), ("1e999", 5), ("", 5)]
)
def test_the_threshold_is_taken_from_the_address_if_it_is_one(
    open_page, fresh_topics, asked, shown
):
    page = open_page(bootstrap_servers=fresh_topics, threshold="5")
    page.query_params["threshold"] = asked
    page.run()
    assert not page.exception
    assert page.number_input(key="threshold").value == shown


@pytest.mark.kafka
def test_a_record_that_is_no_count_is_told_and_stops_nothing(open_page, fresh_topics):
    broken = [
        (b"not a key", b"5"),
        (count("94304", 0, 0)[0], b"many"),
        (b'{"zip_code":"1","window":{"start":"0001-01-01T00:00:00+14:00","end":""}}', b"1"),
        (count("94304", 3, 0)[0], b"9" * 30),
    ]
    send(fresh_topics, count("94304", 0, 2000), *broken, count("94305", 0, 2000))
    page = open_page(bootstrap_servers=fresh_topics)
    refresh_until(page, lambda page: page.metric, "the counts")
    assert figures(page)["Sightings"] == "4,000"
    assert "**4 records of the counts' topic cannot be read** and are left out." in words(page)
    assert "partition 0 offset 1: not a key" in words(page)
    assert "partition 0 offset 2: not a count: 'many'" in words(page)


@pytest.mark.kafka
def test_what_comes_from_the_topic_is_shown_as_it_is(open_page, fresh_topics):
    zip_code = "<script>alert(1)</script> **bold** :red[x] [a](http://b) $x$"
    send(fresh_topics, count(zip_code, 0, 2000), (zip_code.encode(), b"1"))
    page = open_page(bootstrap_servers=fresh_topics)
    refresh_until(page, lambda page: page.metric, "the counts")
    assert page.dataframe[0].value["zip_code"].tolist() == [zip_code]
    interpreted = [*page.markdown, *page.caption, *page.warning, *page.info, *page.subheader]
    assert not any("script" in element.value for element in interpreted)
    assert not any("script" in metric.label + metric.value for metric in page.metric)


@pytest.mark.kafka
def test_without_coordinates_the_page_says_why_there_is_no_map(open_page, fresh_topics, tmp_path):
    places = tmp_path / "places.csv"
    places.write_text("device_id,zip_code\na,94304\n")
    send(fresh_topics, count("94304", 0, 2000))
    page = open_page(bootstrap_servers=fresh_topics, device_locations=str(places))
    refresh_until(page, lambda page: page.metric, "the counts")
    assert "There is no map" in words(page)
    assert "has no column latitude and no longitude" in words(page)
    assert figures(page)["Sightings"] == "2,000"


def test_without_kafka_the_page_says_where_it_looked_and_what_to_do(open_page):
    nobody = f"127.0.0.1:{free_port()}"
    page = open_page(bootstrap_servers=nobody)
    refresh_until(page, says("Kafka cannot be read yet"), "the notice")
    assert f"No Kafka broker answers at {nobody}" in words(page)
    assert "nest broker" in words(page)
    assert not page.metric


def test_a_wrong_setting_is_named_with_its_value(open_page):
    page = open_page(threshold="many").run()
    assert not page.exception
    assert "cannot start with these settings" in words(page)
    assert "NEST_THRESHOLD=many" in words(page)
    assert not page.number_input


@pytest.mark.kafka
def test_while_kafka_is_away_the_last_known_numbers_stay_and_it_recovers_by_itself(
    open_page, tmp_path: Path
):
    settings, port = load_settings(), free_port()

    def broker() -> Broker:
        return Broker(settings, tmp_path / "data", tmp_path / "broker.log", port=port)

    with broker() as first:
        admin = KafkaAdminClient(bootstrap_servers=first.bootstrap_servers)
        create_topics(admin)
        admin.close()
        send(first.bootstrap_servers, count("94304", 0, 2000))
        page = open_page(bootstrap_servers=first.bootstrap_servers)
        refresh_until(page, lambda page: page.metric, "the counts")
        assert not page.warning
    # Said when Kafka has been silent for so long; the rest is for a busy machine.
    away = (SILENCE + timedelta(seconds=10)).total_seconds()
    refresh_until(page, says("**Kafka is away.** These are the last known numbers"), "word", away)
    assert figures(page)["Sightings"] == "2,000"
    assert len(page.dataframe) == 1
    refresh_until(page, says("No Kafka broker answers"), "the reason")
    with broker() as second:
        send(second.bootstrap_servers, count("94304", 1, 500))
        refresh_until(page, lambda page: figures(page)["Sightings"] == "2,500", "recovery")
        assert not page.warning
