"""The picture of the pipeline: from the state of the stream to what its stations say."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from functools import partial

import pytest

from dashboard.data.background_value import Snapshot
from dashboard.data.live_view import LiveView, OffsetSample
from dashboard.data.picture.cameras import cameras_station
from dashboard.data.picture.pipeline import pipeline_picture
from dashboard.data.picture.station import PipelinePicture, speed
from tests.sample.progress import progress as new_progress

NOON = datetime(2026, 11, 20, 12, tzinfo=UTC)
progress = partial(
    new_progress, timestamp="2026-11-20T11:59:59.000Z", batch_id=7, batch_duration_ms=500
)


def ago(seconds: float) -> datetime:
    return NOON - timedelta(seconds=seconds)


def stream(counted: int = 1000, archived: int = 1000, **fields: object) -> LiveView:
    """A stream of 10 messages a second with 1,000 messages so far."""
    queries = {"stats": progress("stats", counted), "archive": progress("archive", archived)}
    samples = tuple(
        OffsetSample(
            ago(seconds),
            {0: 1000 - 10 * seconds},
            {"stats": min(counted, 1000 - 10 * seconds), "archive": min(archived, 700)},
            500 - 2 * seconds,
        )
        for seconds in (30, 20, 10, 0)
    )
    view = LiveView(
        progress=queries,
        reported_at=dict.fromkeys(queries, ago(1)),
        end_offsets={0: 1000},
        samples=samples,
    )
    return replace(view, **fields)


def picture(
    view: LiveView | None,
    *,
    problem: str | None = None,
    read_ago: float = 0.5,
    now: datetime = NOON,
    quarantined: Snapshot[int | None] = Snapshot(12, NOON),  # noqa: B008
) -> PipelinePicture:
    read_at = now - timedelta(seconds=read_ago) if view else None
    return pipeline_picture(
        Snapshot(view, read_at, problem),
        is_reachable=problem is None,
        cameras=1971,
        quarantined=quarantined,
        archive_interval=timedelta(seconds=10),
        now=now,
    )


def shown(of: PipelinePicture) -> dict[str, tuple[str, str, str]]:
    return {each.name: (each.value, each.note, each.condition) for each in of.stations}


def flows(of: PipelinePicture) -> dict[str, tuple[str, int, str]]:
    return {
        f"{each.source} {each.target}": (each.rate, each.speed, each.condition) for each in of.flows
    }


def test_a_pipeline_that_is_well_shows_its_figures_and_rates():
    well = picture(stream())
    assert shown(well) == {
        "cameras": ("1,971", "known, sending", "well"),
        "kafka": ("1,000", "messages", "well"),
        "counts": ("1,000", "all counted", "well"),
        "archive": ("1,000", "all archived", "well"),
        "quarantine": ("12", "rows", "well"),
        "report": ("0.1 s", "behind live", "well"),
    }
    assert flows(well) == {
        "cameras kafka": ("10/s", 2, "well"),
        "kafka counts": ("10/s", 2, "well"),
        "kafka archive": ("0.0/s", 0, "well"),
        "counts report": ("2.0 counts/s", 1, "well"),
        "archive quarantine": ("", 0, "well"),
    }


def test_messages_that_wait_are_orange_at_their_query_and_in_the_report():
    behind = shown(picture(stream(counted=920)))
    assert behind["counts"] == ("920", "80 waiting", "waiting")
    assert behind["report"] == ("10 s", "behind live", "waiting")
    assert behind["archive"][2] == "well"
    assert flows(picture(stream(counted=920)))["kafka counts"][2] == "waiting"


def test_the_archive_may_have_the_messages_of_its_trigger_waiting():
    assert shown(picture(stream(archived=840)))["archive"] == ("840", "160 waiting", "well")
    assert shown(picture(stream(archived=700)))["archive"] == ("700", "300 waiting", "waiting")


@pytest.mark.parametrize(
    ("counts", "expected"),
    [
        (progress("stats", 900, state="restarting"), ("900", "restarting", "down")),
        (progress("stats", 900, state="stopped"), ("900", "stopped: 100 waiting", "down")),
        (progress("stats", 1000, state="stopped"), ("1,000", "stopped, all done", "unknown")),
        (progress("stats", 1001, state="stopped"), ("0", "stopped: 1,000 waiting", "down")),
        (None, ("…", "no progress yet", "unknown")),
    ],
)
def test_a_query_that_does_not_run_is_red_where_messages_wait(counts, expected):
    queries = {"archive": progress("archive", 1000)} | ({"stats": counts} if counts else {})
    assert shown(picture(stream(progress=queries)))["counts"] == expected


def test_a_query_that_was_killed_cannot_say_so_and_is_red_when_it_is_silent_for_long():
    view = stream(counted=900, reported_at={"stats": ago(90), "archive": ago(1)})
    assert shown(picture(view))["counts"] == ("900", "silent for 90 s", "down")
    assert shown(picture(view))["report"][2] == "waiting"


def test_without_kafka_it_alone_is_red_and_nothing_moves():
    lost = picture(stream(), problem="no answer", read_ago=12)
    assert shown(lost)["kafka"] == ("1,000", "away for 12 s", "down")
    for name in ("cameras", "counts", "archive"):
        assert shown(lost)[name][1:] == ("not known now", "unknown")
    assert shown(lost)["report"][2] == "waiting"
    assert {each.speed for each in lost.flows} == {0}


def test_a_lake_that_cannot_be_read_is_no_quarantine_that_is_well():
    lost = picture(stream(), quarantined=Snapshot(12, ago(30), "no such host"))
    assert shown(lost)["quarantine"] == ("12", "not known now", "unknown")
    assert shown(lost)["archive"][2] == "well"
    never = picture(stream(), quarantined=Snapshot(None, None, "no such host"))
    assert shown(never)["quarantine"] == ("…", "not known yet", "unknown")


def test_a_read_that_takes_long_is_no_claim_that_kafka_is_away():
    busy = pipeline_picture(
        Snapshot(stream(), ago(8)),
        is_reachable=False,
        cameras=0,
        quarantined=Snapshot(),
        archive_interval=timedelta(seconds=10),
        now=NOON,
    )
    assert shown(busy)["kafka"] == ("1,000", "not read for 8.0 s", "unknown")


def test_before_anything_is_read_nothing_is_claimed():
    assert {each.condition for each in picture(None).stations if each.name != "quarantine"} == {
        "unknown"
    }
    assert shown(picture(None, problem="no broker"))["kafka"] == ("…", "away", "down")


@pytest.mark.parametrize(
    ("seconds", "note", "condition"),
    [(20, "known, sending", "well"), (31, "silent for 31 s", "down")],
)
def test_cameras_are_silent_when_much_more_time_has_passed_than_between_messages(
    seconds: float, note: str, condition: str
):
    station = cameras_station(stream().samples, 5, NOON + timedelta(seconds=seconds))
    assert (station.note, station.condition) == (note, condition)


def test_a_few_homes_may_be_quiet_for_minutes():
    samples = tuple(
        OffsetSample(ago(seconds), {0: messages}, {}, 0)
        for seconds, messages in ((300, 10), (280, 10), (100, 20), (50, 20), (0, 20))
    )
    assert cameras_station(samples, 5, NOON).condition == "well"
    assert cameras_station(samples, 5, NOON + timedelta(minutes=6)).condition == "down"


def test_whoever_opens_the_page_in_a_silence_is_told_that_and_no_more():
    samples = tuple(OffsetSample(ago(seconds), {0: 10}, {}, 0) for seconds in (40, 0))
    assert cameras_station(samples, 0, NOON)[2:5] == ("…", "silent for 40 s", "unknown")
    assert cameras_station(samples[1:], 0, NOON).note == "no message yet"
    assert cameras_station((), 0, NOON).condition == "unknown"


def test_the_picture_is_also_told_in_words():
    text = picture(stream(counted=920)).description
    assert text.startswith(
        "The pipeline now. Cameras: 1,971 (known, sending). Kafka: 1,000 (messages)."
    )
    assert "Counts: 920 (80 waiting), behind." in text
    assert "Cameras to Kafka: 10/s." in text


def test_each_batch_has_its_number_on_the_arrows_that_it_passes():
    committed = {f"{each.source} {each.target}": each.committed for each in picture(stream()).flows}
    assert committed == {
        "cameras kafka": -1,
        "kafka counts": 7,
        "kafka archive": 7,
        "counts report": 7,
        "archive quarantine": 12,
    }


def test_an_arrow_is_faster_by_a_step_for_each_ten_times_as_much():
    assert [speed(each) for each in (None, 0, 0.5, 10, 99, 5000)] == [0, 0, 1, 2, 2, 3]


@pytest.mark.parametrize(
    ("longest_wait_ms", "condition"), [(0, "waiting"), (3_000, "waiting"), (60_000, "well")]
)
def test_counts_that_may_wait_a_minute_are_well_with_messages_of_half_a_minute_to_go(
    longest_wait_ms: int, condition: str
) -> None:
    stats = progress("stats", 700, longest_wait_ms=longest_wait_ms)
    view = stream(700)
    view = replace(view, progress={**view.progress, "stats": stats})
    assert shown(picture(view))["counts"][2] == condition
