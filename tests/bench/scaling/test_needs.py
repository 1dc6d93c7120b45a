"""What more homes need, with figures that can be reckoned in the head."""

import pytest

from bench.scaling.limits import LIMITS, homes_at, in_order
from bench.scaling.load import home_load
from bench.scaling.measurements import QUOTED, Measurements, Quoted, measurements
from bench.scaling.needs import RECORDS_PER_FILE, Needs
from bench.scaling.page import PAGE, scaling_page
from pipeline.queries import archive

MEASURED = Measurements(
    messages_s=0.002,
    sightings_s=0.001,
    cameras=2.0,
    device_line_bytes=50.0,
    message_bytes=5_000,
    broker_bytes_s=50e6,
    live_fixed_cores=0.5,
    live_s=200e-6,
    read_count_s=10e-6,
    machine_cores=2,
    messages_a_day=100,
    archive_bytes=100,
    state_bytes=250,
    eviction_s=0.3e-6,
    parquet_s=30e-6,
    sightings_query_s=100e-6,
    broadcast_s=2e-6,
    status_bytes_a_day=500e3,
    reader_bytes_a_file=1e3,
    compacted_file_bytes=32e6,
    check_messages_s=8_000,
)


def test_a_million_homes_need_what_can_be_reckoned_by_hand() -> None:
    needs = Needs(1_000_000, MEASURED)
    assert needs.messages_s == 2_000
    assert needs.ingest_bytes_s == 10e6
    assert needs.kafka_bytes_a_day == pytest.approx(100e6 * 5_000 * 3)
    assert needs.brokers == 3  # 10 MB/s three times, on brokers that take 30 MB/s each
    assert needs.partitions == 4  # a task does 6,000 messages a second
    assert needs.busy_cores == pytest.approx(0.5 + 0.4)
    assert needs.state_sightings == pytest.approx(7_200_000)  # two hours of 1,000 a second
    assert needs.state_bytes == pytest.approx(1.8e9)
    assert needs.eviction_cores == pytest.approx(2.16)  # once a second
    assert needs.merge_cores == pytest.approx(1.0)  # 30 s of writing every 30 s
    assert needs.cores == 7  # (0.9 + 2.16 + 1) / 0.6
    assert needs.patient_cores == 3  # (0.9 + 0.216 + 0.1) / 0.6
    assert needs.locations_bytes == 100e6
    assert needs.broadcast_s == pytest.approx(4)
    assert needs.archive_files == 8_640  # a batch of 11,574 messages is one file
    assert needs.archive_bytes == 10e9
    assert needs.status_bytes_a_day == 1e12
    assert needs.counts_a_day == 29_806 * 24
    assert needs.check_core_s == 12_500


def test_a_hundred_million_need_a_hundred_times_as_much_of_what_grows() -> None:
    needs = Needs(100_000_000, MEASURED)
    assert needs.brokers == 100
    assert needs.partitions == 34
    assert needs.archive_files == 8_640 * 58
    assert needs.counts_a_day == 29_806 * 24


@pytest.mark.parametrize("limit", LIMITS, ids=lambda limit: limit.part)
def test_a_part_is_at_its_limit_with_as_many_homes_as_are_said(limit) -> None:
    homes = homes_at(limit, MEASURED)
    assert limit.share(Needs(homes, MEASURED)) == pytest.approx(1, rel=0.01)
    assert limit.share(Needs(homes // 2, MEASURED)) < 1


def test_what_breaks_first_comes_first() -> None:
    homes = [number for number, _ in in_order(MEASURED)]
    assert homes == sorted(homes)
    assert len(homes) == len(LIMITS)


@pytest.mark.parametrize("quoted", QUOTED, ids=lambda quoted: quoted.words)
def test_a_page_still_says_what_the_arithmetic_takes_from_it(quoted: Quoted) -> None:
    text = " ".join((PAGE.parent / quoted.page).read_text().split())
    assert quoted.words in text


def test_a_file_of_the_archive_has_as_many_records_as_the_query_gives_it() -> None:
    assert archive._RECORDS_PER_TASK * archive._TASKS_PER_FILE == RECORDS_PER_FILE


RESULTS = {
    "machine": {"cores": 2, "processor": "a processor"},
    "contenders": {"both": {"cpu_s_per_million": 100.0}},
    "contenders_run": {"message_bytes": 4_500},
    "producer": {"mb_s": 60.0},
    "freshness": {
        "100": {"msg_s": 100, "cores": 0.52},
        "1000": {"msg_s": 1_000, "cores": 0.70},
        "2000": {"msg_s": 2_000, "cores": 0.90},
    },
    "growth": {"keys": {"1000": 0.1, "1000000": 15.0}},
}


def test_a_live_message_costs_what_the_line_through_the_rates_says() -> None:
    measured = measurements(RESULTS, home_load())
    assert measured.live_s == pytest.approx(200e-6)
    assert measured.live_fixed_cores == pytest.approx(0.5)
    assert measured.read_count_s == pytest.approx(15e-6)


def test_a_live_message_is_never_cheaper_than_one_of_a_batch() -> None:
    flat = {rate: {**run, "cores": 0.7} for rate, run in RESULTS["freshness"].items()}  # type: ignore[attr-defined]
    assert measurements({**RESULTS, "freshness": flat}, home_load()).live_s == pytest.approx(100e-6)


def test_the_page_says_that_a_cluster_was_not_measured_until_it_was() -> None:
    text = PAGE.read_text()
    assert "**Not measured yet.**" in scaling_page(RESULTS, text)
    small = {"cores": 1, "workers": 1, "partitions": 4, "devices": 0, "counts_ok": True}
    large = {"cores": 4, "workers": 2, "partitions": 16, "devices": 1_000_000, "counts_ok": False}
    cluster = {
        "messages": 5_000,
        "rounds": 3,
        "at": "2026-11-23T15:00:00+00:00",
        "layouts": [
            {**small, "msg_s": 9_000, "cpu_s_per_million": 110.0},
            {**large, "msg_s": 12_000, "cpu_s_per_million": 165.0},
        ],
    }
    page = scaling_page({**RESULTS, "cluster": cluster}, text)
    assert "Not measured yet" not in page
    assert "| 1 | 1 | 4 | the demo's | 9,000 | 110.0 µs | 1.00 | yes |" in page
    assert "| 4 | 2 | 16 | 1 million | 12,000 | 165.0 µs | 1.50 | **no** |" in page


def test_the_page_stays_as_it_is_where_only_a_part_was_measured() -> None:
    text = PAGE.read_text()
    one_rate = {**RESULTS, "freshness": {"100": RESULTS["freshness"]["100"]}}
    for results in ({"machine": RESULTS["machine"]}, one_rate, {**RESULTS, "contenders": {}}):
        assert scaling_page(results, text) == text
