"""`nest tail` shows records and nothing that it must not show."""

import pytest
from kafka.consumer.fetcher import ConsumerRecord

from contract.errors import UserError
from contract.instants import from_epoch_ms
from contract.kafka.log_offsets import newest_timestamp
from contract.topics import NEST_LOGS
from demo.commands.tail import body, escape_unprintable, follow, heading
from tests.fixtures.kafka import append
from tests.sample.odd_timestamps import remove_guards, send_with_odd_timestamps


def record(**given: object) -> ConsumerRecord:
    fields = dict.fromkeys(ConsumerRecord._fields, None)
    known = {"topic": "nest-logs", "partition": 2, "offset": 7, "timestamp": 1795168800123}
    return ConsumerRecord(**{**fields, "headers": [], **known, **given})


def test_the_heading_says_where_when_key_and_headers() -> None:
    found = heading(record(key=b"home-1", headers=[("dirt", b"late")]))
    assert found == "nest-logs[2]@7  2026-11-20T10:00:00.123Z  key=home-1  dirt=late"


@pytest.mark.parametrize(
    ("name", "value", "shown"),
    [
        ("access_token", b"c.SECRET", "access_token=***"),
        ("Authorization", b"Bearer c.SECRET", "Authorization=***"),
        ("x-api-key", b"c SECRET, SECRET; SECRET", "x-api-key=***"),
        ("pass\\u0077ord", b"\xff\"SECRET'\nSECRET", "pass\\u0077ord=***"),
        ("note", b"token=SECRET", "note=token=***"),
        ("https://h/?SECRET", b"1", "https://h/?***=1"),
        ("token", None, "token=(none)"),
    ],
)
def test_a_header_whose_name_tells_of_a_credential_is_hidden_as_a_whole(
    name: str, value: bytes | None, shown: str
) -> None:
    assert heading(record(key=b"k", headers=[(name, value)])).split("  ")[3:] == [shown]


@pytest.mark.parametrize("pretty", [False, True])
def test_credentials_are_hidden_also_when_written_in_escapes(pretty: bool) -> None:
    value = (
        rb'{"metadata": {"acces\u0073_token": "c.SECRET"}, "u": "https://a:SECRET@h/p?auth=SECRET"}'
    )
    shown = body(record(value=value), pretty)
    assert "SECRET" not in shown
    assert "access_token" in shown


def test_a_cut_off_document_is_shown_as_text_without_its_credentials() -> None:
    assert body(record(value=b'{"access_token": "c.SECR'), False) == '{"access_token": "***'


def test_pretty_json_takes_one_line_a_field() -> None:
    assert body(record(value=b'{"a":1,"b":[]}'), True) == '{\n  "a": 1,\n  "b": []\n}'


@pytest.mark.parametrize("pretty", [False, True])
@pytest.mark.parametrize("depth", [250, 500, 1_000, 2_000])
def test_a_deeply_nested_value_is_shown_and_hardly_grows(pretty: bool, depth: int) -> None:
    numbers = b",".join([b"1"] * 50_000)
    value = b'{"token":"SECRET","x":' + b"[" * depth + numbers + b"]" * depth + b"}"
    shown = body(record(value=value), pretty)
    assert "".join(shown.split()) == value.decode().replace("SECRET", "***")
    assert len(shown) < 2 * len(value)


def test_a_tombstone_is_called_one() -> None:
    assert "tombstone" in body(record(value=None), False)


def test_terminal_escapes_and_direction_marks_are_written_out() -> None:
    assert escape_unprintable("a\x1b[2J\x9b\u202eb\nc") == "a\\x1b[2J\\x9b\\u202eb\\nc"
    assert "\x1b" not in body(record(value=b'{"a":"\\u001b[2J", "b": "\x7f"}'), True)
    assert "\x7f" not in body(record(value=b'{"b": "\x7f"}'), True)
    assert "\x1b" not in heading(record(key=b"\x1b]0;title\x07"))


@pytest.mark.kafka
def test_following_from_the_start_yields_as_many_as_asked(fresh_topics: str) -> None:
    append(fresh_topics, NEST_LOGS.name, *((b"k", b"%d" % number) for number in range(5)))
    found = [each.value for each in follow(fresh_topics, NEST_LOGS.name, "earliest", 3)]
    assert found == [b"0", b"1", b"2"]


@pytest.mark.kafka
def test_timestamps_that_no_clock_gives_are_shown_as_the_ends_of_the_calendar(
    fresh_topics: str,
) -> None:
    remove_guards(fresh_topics, NEST_LOGS.name)
    send_with_odd_timestamps(fresh_topics, NEST_LOGS.name, b"k", b"{}")
    headings = [heading(each) for each in follow(fresh_topics, NEST_LOGS.name, "earliest", 4)]
    assert [each.split()[1] for each in headings] == [
        "0001-01-01T00:00:00.000Z",
        "0001-01-01T00:00:00.000Z",
        "1970-01-01T00:00:00.000Z",
        "9999-12-31T23:59:59.999Z",
    ]
    newest = newest_timestamp(fresh_topics)
    assert newest is not None
    assert from_epoch_ms(newest).year == 9999


@pytest.mark.kafka
def test_a_topic_that_is_not_there_is_named(fresh_topics: str) -> None:
    with pytest.raises(UserError, match="There is no topic nest-log"):
        next(follow(fresh_topics, "nest-log", "latest", None))


@pytest.mark.kafka
def test_an_empty_topic_says_once_that_it_waits(fresh_topics: str) -> None:
    waits: list[str] = []

    def send_one() -> None:
        waits.append("waiting")
        append(fresh_topics, NEST_LOGS.name, (b"k", b"1"))

    found = [each.value for each in follow(fresh_topics, NEST_LOGS.name, "latest", 1, send_one)]
    assert (found, waits) == ([b"1"], ["waiting"])
