"""`nest send`: an event from a file, a pipe, options or answers, and what becomes of it."""

import json
import os
import subprocess
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pexpect
import pyarrow as pa
import pytest
from deltalake import write_deltalake

from contract.errors import UserError
from contract.instants import whole_hour
from contract.person_events import cameras_of
from contract.queries import Query
from contract.settings import Settings
from contract.stats import encode_key, hour_key
from contract.topics import CAMERA_STATS, NEST_LOGS
from demo.commands.event_outcome import count_line
from demo.commands.send import send_event, watch
from demo.commands.tail import follow
from demo.events.nest_event import event_from_answers, event_from_json, parse_moment
from demo.stack.nest_argv import nest_argv
from tests.fixtures.kafka import append
from tests.fixtures.nest_command import nest
from tests.sample.progress import progress, send_progress

START = datetime(2026, 11, 20, 10, 5, tzinfo=UTC)


def test_a_camera_is_wrapped_and_a_document_stays_as_it_is() -> None:
    camera = {"device_id": "a", "structure_id": "home", "last_event": {"has_person": True}}
    document = {"devices": {"cameras": {"a": camera}}}
    for pasted in (camera, document):
        event = event_from_json(json.dumps(pasted))
        assert json.loads(event.value) == document
        assert event.key == b"home"
        assert event.sightings() == []


def test_half_a_character_in_the_homes_id_is_sent_as_it_is() -> None:
    event = event_from_json(r'{"device_id": "a", "structure_id": "\ud800"}')
    assert event.key == b"?"
    assert rb'"\ud800"' in event.value


def test_a_start_at_the_end_of_time_is_from_the_future() -> None:
    start = parse_moment("9999-12-31T23:30:00Z")
    assert count_line(Settings(), "94304", start, {}, {}) == (
        "Count: none changes. It is from the future, by more than NEST_CLOCK_SKEW allows."
    )


def test_three_answers_make_a_camera_that_has_just_seen_somebody() -> None:
    event = event_from_answers("a", True, START)
    assert event.sightings() == [("a", START)]
    (camera,) = cameras_of(event.document)
    assert camera["last_event"]["start_time"] == "2026-11-20T10:05:00.000Z"
    assert event_from_answers("a", False, START).sightings() == []


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("hello", "This is not JSON"),
        ("[1]", "neither a Nest document"),
        ('{"devices": 5}', "neither a Nest document"),
        ('{"device_id": ""}', "device_id is ''"),
    ],
)
def test_what_is_no_event_is_refused(text: str, message: str) -> None:
    with pytest.raises(UserError, match=message):
        event_from_json(text)


def test_a_time_is_now_or_iso_8601() -> None:
    assert parse_moment("2026-11-20T11:05:00+01:00") == parse_moment("2026-11-20T10:05:00") == START
    assert datetime.now(UTC) - parse_moment("now") < timedelta(minutes=1)
    with pytest.raises(UserError, match="'yesterday' is not a time"):
        parse_moment("yesterday")


def nest_send(
    bootstrap: str, *options: str, piped: bytes = b""
) -> "subprocess.CompletedProcess[str]":
    return nest("send", "--no-wait", *options, piped=piped, NEST_BOOTSTRAP_SERVERS=bootstrap)


@contextmanager
def nest_send_in_terminal(bootstrap: str) -> Iterator[pexpect.spawn]:
    """`nest send` in a terminal, which must end well after the block."""
    program, *words = nest_argv("send", "--no-wait")
    environment = {**os.environ, "NEST_BOOTSTRAP_SERVERS": bootstrap}
    with pexpect.spawn(program, words, env=environment, encoding="utf-8", timeout=60) as terminal:
        yield terminal
        terminal.expect_exact(pexpect.EOF)
    assert terminal.exitstatus == 0


def test_without_a_terminal_bad_input_is_one_sentence_and_nothing_is_sent() -> None:
    for options, piped, message in (
        ([], b"", "Standard input is empty"),
        ([], b"\xff\xfe", "not UTF-8"),
        (["--file", "/nowhere"], b"", "/nowhere cannot be read: No such file"),
        (["--file", "-", "--device", "a"], b"{}", "--file is a whole event"),
        (["--device", "a", "--at", "soon"], b"", "'soon' is not a time"),
        (["--device", " "], b"", "needs a device_id"),
    ):
        done = nest_send("localhost:1", *options, piped=piped)
        assert done.returncode == 1
        assert message in done.stderr
        assert "Traceback" not in done.stderr


@pytest.mark.kafka
def test_options_a_pipe_and_answers_in_a_terminal_are_sent(fresh_topics: str) -> None:
    options = ["--device", "a", "--no-person", "--at", "2026-11-20T10:05:00Z"]
    assert "Sent to nest-logs: partition " in nest_send(fresh_topics, *options).stdout
    piped = b'{"device_id": "b", "last_event": {"has_person": true}}'
    assert nest_send(fresh_topics, piped=piped).returncode == 0
    with nest_send_in_terminal(fresh_topics) as terminal:
        for question, answer in (
            ("Or paste an event", "c"),
            ("Was it a person", "n"),
            ("When did it begin", "2026-11-20T10:05:00Z"),
        ):
            terminal.expect_exact(question)
            terminal.sendline(answer)
        terminal.expect_exact("Sent to nest-logs: partition ")
    found = {}
    for record in follow(fresh_topics, NEST_LOGS.name, "earliest", 3):
        ((device, camera),) = json.loads(record.value)["devices"]["cameras"].items()
        found[device] = camera["last_event"]["has_person"]
    assert found == {"a": False, "b": True, "c": False}


@pytest.mark.kafka
def test_a_wrong_answer_is_asked_again_and_an_unknown_camera_is_remarked_at_its_question(
    fresh_topics: str,
) -> None:
    with nest_send_in_terminal(fresh_topics) as terminal:
        terminal.expect_exact("Or paste an event")
        terminal.sendline(" ")
        terminal.expect_exact("A camera needs a device_id.")
        terminal.expect_exact("Or paste an event")
        terminal.sendline("nonsense")
        terminal.expect_exact("has no camera 'nonsense' with a zip code")
        terminal.expect_exact("Was it a person")
        terminal.sendline("")
        terminal.expect_exact("When did it begin")
        terminal.sendline("maybe")
        terminal.expect_exact("'maybe' is not a time. Write now, or for example")
        terminal.expect_exact("When did it begin")
        terminal.sendline("2026-11-20T10:05:00Z")
        terminal.expect_exact("Sent to nest-logs: partition ")
    (record,) = follow(fresh_topics, NEST_LOGS.name, "earliest", 1)
    (camera,) = cameras_of(json.loads(record.value))
    assert camera["device_id"] == "nonsense"


@pytest.mark.kafka
def test_an_event_is_pasted_in_lines_of_any_length(fresh_topics: str) -> None:
    """Without Python's module readline a terminal gives no more than 4,095 bytes of a line."""
    pasted = {"device_id": "a", "name_long": "n" * 6000}
    for text in (json.dumps(pasted), json.dumps(pasted, indent=1)):
        with nest_send_in_terminal(fresh_topics) as terminal:
            terminal.expect_exact("Or paste an event")
            terminal.sendline(text)
            terminal.expect_exact("Sent to nest-logs: partition ")
    for record in follow(fresh_topics, NEST_LOGS.name, "earliest", 2):
        assert json.loads(record.value)["devices"]["cameras"] == {"a": pasted}


@pytest.mark.kafka
def test_no_count_is_shown_where_the_place_of_the_camera_is_not_known(
    fresh_topics: str, tmp_path: Path
) -> None:
    file = tmp_path / "locations.csv"
    settings = Settings(
        bootstrap_servers=fresh_topics, lake=str(tmp_path), device_locations=file.as_uri()
    )
    said: list[str] = []
    sent = send_event(settings, event_from_answers("a", True, START), said.append)
    assert str(file) in said[0]
    assert said[0].endswith("So the count is not shown.")
    committed = (
        progress(Query.STATS, {}),
        progress(Query.ARCHIVE, {}),
        progress(Query.STATS, {sent.partition: 1}),
        progress(Query.ARCHIVE, {sent.partition: 1}),
    )
    send_progress(fresh_topics, *committed)
    watch(settings, sent, said.append)
    assert "Count: the zip code of camera 'a' is not known here." in said


@pytest.mark.kafka
def test_the_row_and_the_count_are_shown_as_they_come(fresh_topics: str, tmp_path: Path) -> None:
    (tmp_path / "locations.csv").write_text("device_id,zip_code\nz,1\na,94304\n")
    settings = Settings(
        bootstrap_servers=fresh_topics,
        lake=str(tmp_path),
        device_locations=str(tmp_path / "locations.csv"),
    )
    said: list[str] = []
    sent = send_event(settings, event_from_answers("a", True, START), said.append)
    assert [line.split(":")[0] for line in said] == ["Sent to nest-logs"]
    send_event(settings, event_from_answers("nosuch", True, START), said.append)
    assert "has no zip code of camera 'nosuch': what it sees counts under unknown." in said[1]
    assert said[2].startswith("Sent to nest-logs")
    killed_and_off_since = progress(Query.SIGHTINGS, {})
    send_progress(fresh_topics, killed_and_off_since)
    watch(settings, sent, said.append)
    assert said.pop().startswith("No pipeline is running")

    send_progress(fresh_topics, progress(Query.STATS, {}), progress(Query.ARCHIVE, {}))
    with pytest.raises(UserError, match=r"stats and archive did not come to the event within 0\.5"):
        watch(settings, sent, said.append, within=0.5)
    assert "The archive waits up to 1 minute for more messages" in said[-1]

    row = {
        "partition": sent.partition,
        "offset": sent.offset,
        "device_id": "a",
        "last_event": {"has_person": True, "start_time": START},
    }
    write_deltalake(str(tmp_path / "camera"), pa.Table.from_pylist([row]))
    rejection = {"partition": 0, "offset": -1, "reason": "malformed", "detail": "no JSON"}
    write_deltalake(str(tmp_path / "quarantine"), pa.Table.from_pylist([rejection]))
    key = encode_key(hour_key("94304", whole_hour(START)))
    append(fresh_topics, CAMERA_STATS.name, (key, b"7"))
    watching = threading.Thread(target=watch, args=(settings, sent, said.append))
    watching.start()
    send_progress(fresh_topics, progress(Query.STATS, {sent.partition: 1}))
    send_progress(fresh_topics, progress(Query.ARCHIVE, {sent.partition: 1}))
    watching.join(30)
    assert said[-2:] == [
        "Count: zip code 94304, 2026-11-20 10:00 to 11:00 UTC: 7 seen, 0 before.",
        "Archive: row of camera a: person yes, 2026-11-20T10:05:00.000Z.",
    ]

    watch(settings, sent, said.append)
    assert said[-2].endswith("7 seen, 0 before."), "before it was sent, however often it is asked"

    newest = tmp_path / "camera/_delta_log/00000000000000000000.json"
    newest.write_text(newest.read_text()[:100])
    watch(settings, sent, said.append)
    assert f"The table camera in {tmp_path} cannot be read: " in said[-1]
