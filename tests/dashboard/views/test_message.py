"""The page Message against a real Kafka and a real lake."""

import json
import time
from dataclasses import asdict
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from kafka import TopicPartition
from streamlit.runtime.caching import cache_utils

from contract.errors import UserError
from contract.instants import format_instant
from contract.kafka.connections import open_admin
from contract.sightings import Sighting
from contract.topics import NEST_LOGS, SIGHTINGS
from dashboard.data.lake.archived_message import read_archived_message
from dashboard.data.message import MAX_TEXT_LENGTH, Position, newest_message, read_message
from dashboard.views.message import KEPT_SECONDS
from demo.stack.ports import free_port
from tests.dashboard.page_content import metrics, refresh_until, shows, text_of
from tests.fixtures.kafka import GIVES_UP_SOON, append, renew_topics
from tests.sample.lake import append_cameras, append_quarantine, camera, event, rejected
from tests.sample.progress import progress, send_progress

pytestmark = pytest.mark.kafka

HOUR, SKEW = timedelta(hours=1), timedelta(minutes=5)


def now() -> datetime:
    """The current time, as exact as the timestamp of a record."""
    moment = datetime.now(UTC)
    return moment.replace(microsecond=moment.microsecond // 1000 * 1000)


def document(start: datetime, *, has_person: bool = True) -> dict[str, Any]:
    """A message of a home whose camera has just seen somebody, with a token in a URL."""
    seen = {
        "has_person": has_person,
        "start_time": format_instant(start),
        "web_url": "https://n/x?t=1",
    }
    return {"devices": {"cameras": {"a": {"device_id": "a", "last_event": seen}}}}


def send(bootstrap_servers: str, *values: object, topic: str = NEST_LOGS.name) -> None:
    """Send values to partition 0, bytes as they are and all others as JSON."""
    raw = (
        value if isinstance(value, bytes | None) else json.dumps(value).encode() for value in values
    )
    append(bootstrap_servers, topic, *((b"home", each) for each in raw), partition=0)


def test_the_newest_message_with_a_person_is_found_among_odd_ones(fresh_topics: str) -> None:
    assert newest_message(fresh_topics) is None
    send(fresh_topics, b"{", None, [], {"devices": {"cameras": {"a": None}}})
    newest = newest_message(fresh_topics)
    assert newest is not None
    assert newest.partition == 0
    long_ago = now() - timedelta(hours=3)
    quiet, old = document(now(), has_person=False), document(long_ago)
    send(fresh_topics, document(now()), quiet, old, b"\xff")
    assert newest_message(fresh_topics) == (0, 4)


@pytest.mark.parametrize("other", [{"device_id": "b"}, {"last_event": None}, None, "offline"])
def test_a_person_is_found_beside_a_camera_that_has_seen_nothing_yet(
    fresh_topics: str, other: object
) -> None:
    message = document(now())
    message["devices"]["cameras"] = {"b": other, **message["devices"]["cameras"]}
    send(fresh_topics, message, document(now(), has_person=False))
    assert newest_message(fresh_topics) == (0, 0)


@pytest.mark.parametrize("start", ["0001-01-01T00:00:00+14:00", "9999-12-31T23:59:59-01:00"])
def test_a_start_outside_the_calendar_is_not_new(fresh_topics: str, start: str) -> None:
    odd = document(now())
    odd["devices"]["cameras"]["a"]["last_event"]["start_time"] = start
    send(fresh_topics, document(now()), odd)
    assert newest_message(fresh_topics) == (0, 0)


@pytest.mark.parametrize("depth", [250, 500, 1_000])
def test_a_deeply_nested_message_is_read(fresh_topics: str, depth: int) -> None:
    value = b'{"token":"SECRET","x":' + b"[" * depth + b"1,2" + b"]" * depth + b"}"
    send(fresh_topics, value)
    shown = read_message(fresh_topics, Position(0, 0))
    assert shown is not None
    assert len(shown.value or "") <= MAX_TEXT_LENGTH
    assert (shown.value or "").lstrip("{ \n").startswith('"token":')
    assert "SECRET" not in (shown.value or "")


def test_a_message_is_read_without_its_credentials_even_an_odd_one(
    fresh_topics: str,
) -> None:
    send(fresh_topics, document(now()), b"{odd \xff", None)
    shown = read_message(fresh_topics, Position(0, 0))
    assert shown is not None
    assert shown.is_json
    assert "https://n/x?***" in (shown.value or "")
    odd, without = (read_message(fresh_topics, Position(0, offset)) for offset in (1, 2))
    assert odd is not None
    assert (odd.value, odd.is_json, odd.size) == ("{odd \ufffd", False, 6)
    assert without is not None
    assert (without.value, without.size) == (None, 0)


def test_why_there_is_no_message_is_said(fresh_topics: str) -> None:
    send(fresh_topics, document(now()), document(now()))
    with open_admin(fresh_topics) as admin:
        admin.delete_records({TopicPartition(NEST_LOGS.name, 0): 1})
    for position, why in [
        (Position(99, 0), "nest-logs has no partition 99: its partitions are 0 to 3."),
        (Position(0, 2), "offset 2 of partition 0 is still to come: .* has offset 2."),
        (Position(0, 0), "Kafka has removed the message at offset 0 of partition 0."),
    ]:
        with pytest.raises(UserError, match=why):
            read_message(fresh_topics, position)


def test_the_first_report_on_time_is_what_raised_a_count(tmp_path: Path) -> None:
    append_cameras(
        tmp_path,
        camera("a", 0, last_event=event(-1)),
        camera("a", 1, last_event=event(-1)),
        camera("b", 2, last_event=event(-100)),
        camera("c", 3, last_event=event(2, has_person=False)),
    )
    append_quarantine(tmp_path, rejected("malformed", 4, detail="not JSON"))

    def read(minute: int, partition: int = 0) -> Any:
        position = Position(partition, 1_000_000 + 10 * minute)
        return read_archived_message(str(tmp_path), position, lateness=HOUR, clock_skew=SKEW)

    first = Position(0, 1_000_000)
    assert [each.first_report for each in read(0).person_events] == [first]
    assert [each.first_report for each in read(1).person_events] == [first]
    assert [each.first_report for each in read(2).person_events] == [None]
    assert (len(read(3).rows), read(3).person_events) == (1, [])
    assert read(4, partition=1).quarantined["detail"].tolist() == ["not JSON"]
    nothing = read_archived_message(str(tmp_path / "none"), first, lateness=HOUR, clock_skew=SKEW)
    assert (len(nothing.rows), len(nothing.quarantined), nothing.person_events) == (0, 0, [])


def test_a_message_that_was_held_back_is_not_before_those_that_came_before_it(
    tmp_path: Path,
) -> None:
    seen = {"last_event": event(-1)}
    append_cameras(
        tmp_path,
        camera("a", 1, offset=7, **seen),
        camera("a", 0, offset=9, **seen),
        camera("b", 1, offset=7, **seen),
        camera("b", 0, offset=9, **seen, partition=1),
    )

    def first_reports(position: Position) -> list[Position | None]:
        message = read_archived_message(str(tmp_path), position, lateness=HOUR, clock_skew=SKEW)
        return [each.first_report for each in message.person_events]

    assert first_reports(Position(0, 9)) == [(0, 7)]
    assert first_reports(Position(1, 9)) == [(1, 9)], "between partitions the timestamp tells"


def test_the_page_follows_a_message_to_every_stop(open_page, fresh_topics: str, tmp_path: Path):
    places = tmp_path / "places.csv"
    places.write_text("device_id,zip_code,city,latitude,longitude\na,94304,Palo Alto,37.4,-122.1\n")
    start = now()
    send(fresh_topics, document(start))
    send_progress(fresh_topics, progress("stats", 0), progress("archive", 0))
    page = open_at(open_page, fresh_topics, tmp_path, places, offset="0")
    refresh_until(page, lambda page: metrics(page).get("Read by the counts"), "the stops")
    assert (metrics(page)["Read by the counts"], metrics(page)["Read by the archive"]) == (
        "waiting …",
        "waiting …",
    )
    assert "***" in text_of(page)

    send(
        fresh_topics,
        asdict(Sighting("a", "94304", start)) | {"start_time": format_instant(start)},
        topic=SIGHTINGS.name,
    )
    send_progress(fresh_topics, progress("stats", 1))
    refresh_until(
        page, lambda page: metrics(page)["Read by the counts"].startswith("+"), "the count"
    )
    assert metrics(page)["Read by the archive"] == "waiting …"
    refresh_until(page, lambda page: metrics(page).get("Sighting sent"), "the fastest stop")

    minutes = (start - datetime(2026, 11, 20, 12, tzinfo=UTC)) / timedelta(minutes=1)
    row = camera("a", minutes, last_event=event(minutes)) | {"offset": 0}
    append_cameras(tmp_path, row)
    send_progress(fresh_topics, progress("archive", 1))
    refresh_until(
        page, lambda page: metrics(page)["Read by the archive"].startswith("+"), "the last stop"
    )
    assert metrics(page)["Sighting sent"].startswith("+")
    raised = page.dataframe[0].value
    assert raised["effect"].tolist() == ["raised the count by 1"]
    assert raised["place"].tolist() == ["Palo Alto 94304"]
    assert page.dataframe[1].value["device_id"].tolist() == ["a"]


def test_a_message_of_a_topic_that_was_recreated_is_not_the_old_one(
    open_page, fresh_topics: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    ahead = 0.0
    monkeypatch.setattr(cache_utils, "TTLCACHE_TIMER", lambda: time.monotonic() + ahead)
    send(fresh_topics, {"story": "old"})
    page = open_at(open_page, fresh_topics, tmp_path, tmp_path / "none.csv", offset="0")
    refresh_until(page, shows('"story": "old"'), "the message")
    renew_topics(fresh_topics)
    send(fresh_topics, {"story": "new"})
    ahead = KEPT_SECONDS
    refresh_until(page, shows('"story": "new"'), "the new message")


def open_at(open_page, kafka: str, lake: Path, places: Path, offset: str):
    """Open the page at an offset of partition 0."""
    page = open_page(
        "message", bootstrap_servers=kafka, lake=str(lake), device_locations=str(places)
    )
    page.query_params["partition"], page.query_params["offset"] = "0", offset
    return page


def test_without_a_position_the_page_says_how_to_choose(open_page, fresh_topics: str):
    page = open_page("message", bootstrap_servers=fresh_topics)
    refresh_until(page, shows("Choose a message"), "the hint")
    page.button[0].click().run()
    assert "There is no message in nest-logs yet." in text_of(page)


def test_a_message_that_kafka_does_not_have_is_one_sentence(
    open_page, fresh_topics: str, tmp_path: Path
):
    page = open_at(open_page, fresh_topics, tmp_path, tmp_path / "none.csv", offset="7")
    refresh_until(page, shows("at offset 7 of partition 0 is still to come"), "the notice")
    page = open_at(open_page, fresh_topics, tmp_path, tmp_path / "none.csv", offset="<b>")
    refresh_until(page, shows("The offset in the address is not a whole number"), "the notice")


def test_that_kafka_does_not_answer_is_no_answer_about_the_message(open_page, tmp_path: Path):
    nowhere = f"127.0.0.1:{free_port()}"
    page = open_page(
        "message", bootstrap_servers=nowhere, kafka_options=GIVES_UP_SOON, lake=str(tmp_path)
    )
    page.query_params["partition"], page.query_params["offset"] = "0", "7"
    refresh_until(page, shows("Kafka cannot be read."), "the notice")
    assert [each.value for each in page.warning] == ["Kafka cannot be read."]
    assert not page.info


def test_an_offset_may_have_as_many_digits_as_a_browser_keeps_exactly(
    open_page, fresh_topics: str, tmp_path: Path
):
    highest = "999999999999999"
    page = open_at(open_page, fresh_topics, tmp_path, tmp_path / "none.csv", offset=highest)
    refresh_until(page, shows("The message at offset 999,999,999,999,999 of"), "the notice")
    page = open_at(open_page, fresh_topics, tmp_path, tmp_path / "none.csv", offset=f"{highest}9")
    wanted = "The offset in the address is not a whole number from 0 to 999,999,999,999,999"
    refresh_until(page, shows(wanted), "the notice")
    assert not page.error
