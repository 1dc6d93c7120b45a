"""Every record of a timeline says in a header which timeline it belongs to."""

import pytest

from producer.timeline_header import read_timeline, timeline_headers
from producer.world.timeline import Timeline

START = 1_795_136_400_000


@pytest.mark.parametrize(
    "timeline",
    [
        Timeline(7, START),
        Timeline(7, START, START + 86_400_000),
        Timeline(7, START + 1, START + 86_400_000, 30.517578),
    ],
)
def test_a_timeline_is_read_back_from_its_headers(timeline: Timeline) -> None:
    headers = timeline_headers(timeline)
    assert read_timeline(headers, 7) == timeline
    assert read_timeline([("other", b"1"), *headers], 7) == timeline


def test_the_header_is_text_that_people_can_read() -> None:
    timeline = Timeline(7, START, START + 86_400_000, 2.5)
    assert timeline_headers(timeline) == [
        ("timeline", b'{"start":1795136400000,"live_from":1795222800000,"load_factor":2.5}')
    ]


@pytest.mark.parametrize(
    "headers",
    [
        [],
        [("dirt", b"late")],
        [("timeline", None)],
        [("timeline", b"")],
        [("timeline", b"\xff")],
        [("timeline", b"1795136400000")],
        [("timeline", b"[]")],
        [("timeline", b'{"start":1795136400000}')],
        [("timeline", b'{"start":"now","live_from":null,"load_factor":1.0}')],
        [("timeline", b'{"start":-1,"live_from":null,"load_factor":1.0}')],
        [("timeline", b'{"start":1795136400000,"live_from":1e30,"load_factor":1.0}')],
        [("timeline", b'{"start":1795136400000,"live_from":999999999999999999,"load_factor":1}')],
        [("timeline", b'{"start":1795136400000,"live_from":"soon","load_factor":1.0}')],
        [("timeline", b'{"start":1795136400000,"live_from":null,"load_factor":null}')],
    ],
)
def test_other_headers_name_no_timeline(headers: list[tuple[str, bytes | None]]) -> None:
    assert read_timeline(headers, 7) is None
