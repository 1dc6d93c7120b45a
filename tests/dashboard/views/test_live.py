"""The page Live against a real Kafka: empty, filling and without a broker."""

from datetime import UTC, datetime, timedelta

import pytest

from contract.instants import format_instant
from contract.topics import NEST_LOGS, PIPELINE_PROGRESS
from demo.stack.ports import free_port
from tests.dashboard.page_content import metrics, refresh_until, shows, text_of
from tests.fixtures.kafka import GIVES_UP_SOON, append
from tests.sample.odd_timestamps import remove_guards, send_with_odd_timestamps
from tests.sample.progress import progress, send_messages, send_progress


@pytest.mark.kafka
def test_the_page_shows_that_no_query_has_reported_progress(open_page, fresh_topics):
    page = open_page("live", bootstrap_servers=fresh_topics)
    refresh_until(page, shows("No query has reported progress yet"), "the notice")
    assert metrics(page)["p90 latency"] == "not yet"


@pytest.mark.kafka
def test_the_page_shows_the_state_of_each_query_and_the_latency(open_page, fresh_topics):
    send_progress(fresh_topics, progress("stats", 0), progress("archive", 0))
    batches = (
        progress("stats", 4, state_rows=1234, watermark="2026-11-20T12:00:00.000Z"),
        progress("archive", 1, state="restarting", reason="boom access_token=c.secret"),
    )
    send_messages(fresh_topics, 4, 4, 4, 4)
    send_progress(fresh_topics, *batches)
    page = open_page("live", bootstrap_servers=fresh_topics)
    refresh_until(page, lambda page: metrics(page).get("State rows") == "1,234", "the state")
    assert metrics(page)["p50 latency"].startswith(("3.", "4."))
    assert "running" in text_of(page)
    assert "restarting" in text_of(page)
    assert "boom access_token=***" in text_of(page)
    assert "c.secret" not in text_of(page)
    send_progress(fresh_topics, progress("stats", 4, state="stopped"))
    refresh_until(page, shows("stopped"), "the stop")


@pytest.mark.kafka
def test_the_page_shows_what_a_query_has_left_of_its_table(open_page, fresh_topics):
    table = {"table": "camera", "end_version": 7, "end_offsets": {}}
    left = progress("camera_status", 3, files_outstanding=2, bytes_outstanding=34_500, **table)
    send_progress(fresh_topics, left)
    send_messages(fresh_topics, 4, 4)
    page = open_page("live", bootstrap_servers=fresh_topics)
    refresh_until(page, lambda page: metrics(page).get("Files outstanding") == "2", "the files")
    assert metrics(page)["Bytes outstanding"] == "34.5 kB"
    assert "Lag" not in metrics(page)
    assert "not heard of" not in text_of(page)


@pytest.mark.kafka
def test_a_query_that_has_been_silent_for_long_is_said_to_be_killed_or_cut_off(
    open_page, fresh_topics
):
    long_ago = int((datetime.now(UTC) - timedelta(minutes=5)).timestamp() * 1000)
    name, value = progress("stats", 1).encode()
    append(fresh_topics, PIPELINE_PROGRESS.name, (name, value), timestamp=long_ago)
    page = open_page("live", bootstrap_servers=fresh_topics)
    refresh_until(page, shows("not heard of for 5 min: killed, or without Kafka"), "the badge")


@pytest.mark.kafka
def test_timestamps_that_no_clock_gives_do_not_break_the_page(open_page, fresh_topics):
    for topic in (NEST_LOGS, PIPELINE_PROGRESS):
        remove_guards(fresh_topics, topic.name)
    send_with_odd_timestamps(fresh_topics, NEST_LOGS.name, b"home", b"{}")
    send_progress(fresh_topics, progress("stats", 0))
    name, value = progress("archive", 0).encode()
    send_with_odd_timestamps(fresh_topics, PIPELINE_PROGRESS.name, name, value)
    send_progress(fresh_topics, progress("stats", 4, state_rows=1234))
    page = open_page("live", bootstrap_servers=fresh_topics)
    refresh_until(page, lambda page: metrics(page).get("State rows") == "1,234", "the state")
    assert metrics(page)["p90 latency"].endswith(" days")
    assert not page.warning


def test_without_kafka_the_page_shows_no_numbers(open_page):
    nowhere = f"127.0.0.1:{free_port()}"
    page = open_page("live", bootstrap_servers=nowhere, kafka_options=GIVES_UP_SOON)
    refresh_until(page, shows("Kafka cannot be read"), "the notice")
    assert not page.metric


@pytest.mark.kafka
def test_a_chart_says_that_its_scale_is_logarithmic(open_page, fresh_topics):
    began = format_instant(datetime.now(UTC) - timedelta(minutes=4))
    history = progress("stats", 1, batch_duration_ms=90_000, timestamp=began)
    send_messages(fresh_topics, 4, 4)
    batches = (progress("stats", 0), history, progress("stats", 2, batch_duration_ms=400))
    send_progress(fresh_topics, *batches)
    page = open_page("live", bootstrap_servers=fresh_topics)
    title = "Batch duration, seconds, on a log scale"
    refresh_until(page, lambda page: title in [each.value for each in page.header], "the title")
