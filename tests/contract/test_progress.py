"""The progress topic is folded in one place: newest per query, read on, recreated topics."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest

from contract.drills import KEY_PREFIX, DrillMark, decode_mark
from contract.kafka.connections import open_consumer
from contract.progress import ProgressLog, QueryProgress, decode_progress
from contract.queries import Query
from contract.topics import PIPELINE_PROGRESS
from tests.fixtures.kafka import append, renew_topics

FIRST = QueryProgress(
    Query.STATS,
    "running",
    "2026-11-20T10:00:00.000Z",
    batch_id=1,
    batch_duration_ms=100,
    end_offsets={0: 5, 1: 7},
)
SECOND = replace(FIRST, batch_id=2, end_offsets={0: 6, 1: 9})
OTHER = replace(FIRST, query=Query.ARCHIVE, end_offsets={0: 2})


def send(bootstrap_servers: str, *records: QueryProgress | bytes) -> None:
    pairs = (
        record.encode() if isinstance(record, QueryProgress) else (b"else", record)
        for record in records
    )
    append(bootstrap_servers, PIPELINE_PROGRESS.name, *pairs)


def test_a_batch_was_committed_when_its_duration_was_over() -> None:
    progress = replace(FIRST, batch_duration_ms=1_500)
    assert progress.committed_at == datetime(2026, 11, 20, 10, 0, 1, 500_000, tzinfo=UTC)


@pytest.mark.parametrize(
    "value",
    [
        b"",
        b"[]",
        b"{}",
        b'{"end_offsets": {}}',
        b'{"query": "stats", "state": "running", "timestamp": 5, "end_offsets": {}}',
        b'{"query": "stats", "state": "running", "timestamp": "yesterday", "end_offsets": {}}',
        b'{"query": "stats", "state": "running", "timestamp": "2026-11-20", "end_offsets": 7}',
        FIRST.encode()[1].replace(b"00.000Z", b"00"),
        FIRST.encode()[1].replace(b"2026-11-20T10:00:00.000Z", b"9999-12-31T23:59:59.999Z"),
        FIRST.encode()[1].replace(b'"query":"stats"', b'"query":["stats"]'),
        FIRST.encode()[1].replace(b'"0":5', b'"0":"5"'),
        FIRST.encode()[1].replace(b'"state":"running"', b'"state":"tired"'),
        replace(FIRST, longest_wait_ms=-1).encode()[1],
        replace(FIRST, longest_wait_ms=10**17).encode()[1],
    ],
)
def test_a_value_that_is_no_progress_is_an_error(value: bytes) -> None:
    with pytest.raises(ValueError, match="not a query's progress"):
        decode_progress(value)


@pytest.mark.parametrize(
    "fields",
    [
        '"drill": "poison"',
        '"drill": "poison", "begun_at": null, "ended_at": null',
        '"drill": "poison", "begun_at": "0001-01-01T00:00:00+12:00", "ended_at": null',
        '"drill": "poison", "begun_at": "2026-11-20T10:00:00Z", "ended_at": 5',
    ],
)
def test_a_value_that_is_no_mark_of_a_drill_is_an_error(fields: str) -> None:
    with pytest.raises(ValueError, match="not a drill's mark"):
        decode_mark(f"{{{fields}}}".encode())


@pytest.mark.kafka
def test_a_drill_is_a_mark_from_its_begin_to_its_end(fresh_topics: str) -> None:
    begun = datetime(2026, 11, 20, 10, 0, tzinfo=UTC)
    mark = DrillMark("kill-kafka", begun)
    ended = replace(mark, ended_at=datetime(2026, 11, 20, 10, 1, tzinfo=UTC))
    other = DrillMark("poison", datetime(2026, 11, 20, 10, 2, tzinfo=UTC))
    marks = (mark.encode(), ended.encode(), other.encode(), (KEY_PREFIX + b"?", b"{}"))
    append(fresh_topics, PIPELINE_PROGRESS.name, *marks)
    send(fresh_topics, FIRST)
    log = ProgressLog()
    with open_consumer(fresh_topics) as consumer:
        log.refresh(consumer)
    assert list(log.drills.values()) == [ended, other]
    assert log.latest == {Query.STATS: FIRST}


@pytest.mark.kafka
def test_the_newest_progress_of_each_query_is_kept(fresh_topics: str) -> None:
    send(fresh_topics, FIRST, OTHER, b"somebody else's", SECOND)
    log = ProgressLog()
    with open_consumer(fresh_topics) as consumer:
        reports = log.refresh(consumer)
    assert log.latest == {Query.STATS: SECOND, Query.ARCHIVE: OTHER}
    assert log.committed_offsets(Query.STATS, {0: 6, 1: 9}) == {0: 6, 1: 9}
    assert log.committed_offsets(Query.STATS, {0: 6, 1: 8}) == {}, "of an earlier topic"
    assert log.committed_offsets("another", {0: 6, 1: 9}) == {}
    assert [(each.progress, each.previous) for each in reports] == [
        (FIRST, None),
        (OTHER, None),
        (SECOND, FIRST),
    ]


@pytest.mark.kafka
def test_a_second_read_takes_only_what_is_new(fresh_topics: str) -> None:
    log = ProgressLog()
    with open_consumer(fresh_topics) as consumer:
        send(fresh_topics, FIRST)
        assert len(log.refresh(consumer)) == 1
        assert log.refresh(consumer) == []
        send(fresh_topics, SECOND)
        assert [each.progress for each in log.refresh(consumer)] == [SECOND]


@pytest.mark.kafka
def test_the_first_read_can_be_bounded(fresh_topics: str) -> None:
    send(fresh_topics, OTHER, FIRST, SECOND)
    log = ProgressLog(read_back=2)
    with open_consumer(fresh_topics) as consumer:
        assert [each.progress for each in log.refresh(consumer)] == [FIRST, SECOND]


@pytest.mark.kafka
def test_a_recreated_topic_is_read_from_its_beginning(fresh_topics: str) -> None:
    send(fresh_topics, OTHER, FIRST, SECOND)
    log = ProgressLog()
    with open_consumer(fresh_topics) as consumer:
        log.refresh(consumer)
    renew_topics(fresh_topics)
    send(fresh_topics, FIRST)
    with open_consumer(fresh_topics) as consumer:
        log.refresh(consumer)
    assert log.latest == {Query.STATS: FIRST}


def test_a_record_of_an_older_version_is_still_read() -> None:
    older = b"""{"query": "stats", "state": "running", "timestamp": "2026-11-20T10:00:00.000Z",
        "batch_id": 1, "input_rows": 0, "input_rows_per_second": 0.0,
        "processed_rows_per_second": 0.0, "batch_duration_ms": 100, "state_rows": 0,
        "rows_dropped_by_watermark": 0, "watermark": null, "offset_lag": 0,
        "end_offsets": {"0": 5, "1": 7}, "reason": null}"""
    assert decode_progress(older) == FIRST
    of_table = replace(FIRST, table="camera", table_id="x", end_version=3, files_outstanding=2)
    assert decode_progress(of_table.encode()[1]) == of_table


def test_a_record_of_a_newer_version_is_read_without_what_it_adds() -> None:
    newer = FIRST.encode()[1].replace(b'"query"', b'"mood": "good", "query"')
    assert decode_progress(newer) == FIRST


def test_a_query_that_runs_is_silent_once_several_heartbeats_are_missing() -> None:
    now = FIRST.committed_at
    found = [FIRST.silent_for(now - timedelta(seconds=seconds), now) for seconds in (45, 46)]
    assert found == [None, timedelta(seconds=46)]
    stopped = replace(FIRST, state="stopped")
    assert stopped.silent_for(now - timedelta(days=1), now) is None
