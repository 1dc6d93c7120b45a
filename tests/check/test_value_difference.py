"""Differences are written short, path by path, and without credentials."""

from check.rules.columns import CAMERA
from check.rules.field_types import parse_timestamp
from check.rules.matchers import JsonText, RawText
from check.value_difference import format_value, value_differences

ZONES = CAMERA.fields["activity_zones"]


def test_values_are_short_and_without_credentials() -> None:
    assert format_value("https://a/b?auth=c.12345 x") == "https://a/b?*** x"
    assert format_value("x" * 200) == "x" * 79 + "…"
    assert format_value(None) == "null"
    assert format_value(("a\nb", 1)) == r"('a\nb', 1)"


def test_timestamps_are_written_in_utc_and_numbers_as_they_are() -> None:
    assert format_value(1_795_168_800_000_000, parse_timestamp) == "2026-11-20T10:00:00Z"
    assert format_value(10**20, parse_timestamp) == f"{10**20} µs"
    assert format_value(5) == "5"


def test_a_difference_names_the_path_within_lists_and_structs() -> None:
    expected = (("Porch", JsonText(7)), ("Door", None))
    stored = (("Porch", "8"), ("Gate", None))
    assert value_differences("activity_zones", ZONES, expected, stored) == [
        ("activity_zones[0].id", "'7'", "8"),
        ("activity_zones[1].name", "Door", "Gate"),
    ]
    assert (
        value_differences("activity_zones", ZONES, expected, (("Porch", "7"), ("Door", None))) == []
    )


def test_lists_of_other_lengths_differ_as_a_whole() -> None:
    assert value_differences("activity_zones", ZONES, (("Porch", "7"),), ()) == [
        ("activity_zones", "(('Porch', '7'),)", "()")
    ]


def test_a_difference_in_raw_text_says_why() -> None:
    expected = RawText(b"access_token=c.secret")
    ((path, _, found),) = value_differences("raw", lambda value: value, expected, expected.text)
    assert path == "raw"
    assert found == "access_token=*** (shows a credential)"
