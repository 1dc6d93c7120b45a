"""`nest topics` creates what is missing and names the setting that differs."""

import pytest
from kafka import KafkaProducer, TopicPartition
from kafka.errors import InvalidTimestampError, MessageSizeTooLargeError
from typer.testing import CliRunner

from contract.errors import UserError
from contract.kafka.bounded_read import records_in_topic
from contract.kafka.connections import open_admin, open_consumer
from contract.polling import poll_until
from contract.progress import QueryProgress
from contract.queries import Query
from contract.topic_admin import topic_differences
from contract.topics import CAMERA_ALERTS, CAMERA_STATS, NEST_LOGS, PIPELINE_PROGRESS, SIGHTINGS
from demo.cli import app
from demo.cli.app import confirm_unless
from demo.commands.delete_records import delete_records_up_to
from demo.stack.topics import ensure_topics
from tests.fixtures.kafka import append, configure_topic, delete_topic, recreate_topic

pytestmark = pytest.mark.kafka

DERIVED = (CAMERA_ALERTS, SIGHTINGS, PIPELINE_PROGRESS)


def test_topics_that_are_there_and_right_are_left_alone(fresh_topics: str) -> None:
    assert ensure_topics(fresh_topics) == []


@pytest.mark.parametrize(
    ("wrong", "named"),
    [
        (
            {"retention.ms": "1000", "message.timestamp.after.max.ms": "300000"},
            r"retention\.ms is 1000, should be -1",
        ),
        (
            {"message.timestamp.type": "LogAppendTime"},
            r"message\.timestamp\.type is LogAppendTime, should be CreateTime",
        ),
    ],
)
def test_a_setting_that_differs_is_named_with_both_values(
    fresh_topics: str, wrong: dict[str, str], named: str
) -> None:
    configure_topic(fresh_topics, NEST_LOGS.name, wrong)
    with pytest.raises(UserError, match=f"nest-logs: {named}"):
        ensure_topics(fresh_topics)


def test_a_missing_topic_is_created_again(fresh_topics: str) -> None:
    delete_topic(fresh_topics, CAMERA_STATS.name)
    assert ensure_topics(fresh_topics) == [CAMERA_STATS.name]


def test_a_topic_of_an_older_version_gets_the_guards_that_were_added_since(
    fresh_topics: str,
) -> None:
    later = NEST_LOGS.set_if_unset
    older = {name: value for name, value in NEST_LOGS.config.items() if name not in later}
    recreate_topic(fresh_topics, NEST_LOGS.name, NEST_LOGS.partitions, older)
    assert ensure_topics(fresh_topics) == []
    wait_until_topics_are_right(fresh_topics)


def test_topics_that_somebody_made_with_partitions_and_cleanup_policy_alone_are_completed(
    fresh_topics: str,
) -> None:
    for topic in DERIVED:
        policy_alone = {"cleanup.policy": topic.config["cleanup.policy"]}
        recreate_topic(fresh_topics, topic.name, topic.partitions, policy_alone)
    assert ensure_topics(fresh_topics) == []
    wait_until_topics_are_right(fresh_topics)


def test_what_a_drill_that_was_cut_off_has_set_is_put_back(fresh_topics: str) -> None:
    configure_topic(fresh_topics, CAMERA_STATS.name, CAMERA_STATS.set_by_drill)
    assert ensure_topics(fresh_topics) == []
    wait_until_topics_are_right(fresh_topics)


def wait_until_topics_are_right(bootstrap_servers: str) -> None:
    """The controller has a setting at once; the broker that is asked follows it a moment later."""
    with open_admin(bootstrap_servers) as admin:
        poll_until(lambda: not topic_differences(admin), "the setting", 30)


def test_another_setting_that_nobody_has_set_is_left_to_the_owner(fresh_topics: str) -> None:
    recreate_topic(fresh_topics, NEST_LOGS.name, NEST_LOGS.partitions, {})
    with pytest.raises(UserError, match=r"nest-logs: retention\.ms is 604800000, should be -1"):
        ensure_topics(fresh_topics)


def test_messages_of_any_compression_can_be_read_by_whoever_lacks_the_codec(
    fresh_topics: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    producer = KafkaProducer(bootstrap_servers=fresh_topics, compression_type="zstd")
    for _ in range(100):
        producer.send(NEST_LOGS.name, b'{"devices": {}}')
    producer.close()
    monkeypatch.setattr("kafka.codec.zstd", None)
    with open_consumer(fresh_topics) as consumer:
        assert len(list(records_in_topic(consumer, NEST_LOGS.name))) == 100


def test_who_lacks_the_codec_of_messages_from_before_reads_what_to_install(
    fresh_topics: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    others = {name: value for name, value in NEST_LOGS.config.items() if name != "compression.type"}
    recreate_topic(fresh_topics, NEST_LOGS.name, NEST_LOGS.partitions, others)
    producer = KafkaProducer(bootstrap_servers=fresh_topics, compression_type="zstd")
    producer.send(NEST_LOGS.name, b" " * 1000)
    producer.close()
    ensure_topics(fresh_topics)
    with open_consumer(fresh_topics) as consumer:
        assert len(list(records_in_topic(consumer, NEST_LOGS.name))) == 1
    monkeypatch.setattr("kafka.codec.zstd", None)
    with (
        pytest.raises(UserError, match=r"(?s)zstd.*install 'kafka-python\[lz4,snappy,zstd\]'"),
        open_consumer(fresh_topics) as consumer,
    ):
        list(records_in_topic(consumer, NEST_LOGS.name))


def test_a_message_that_is_small_only_while_it_is_compressed_is_refused(fresh_topics: str) -> None:
    producer = KafkaProducer(
        bootstrap_servers=fresh_topics, compression_type="gzip", max_request_size=64 << 20
    )
    sent = producer.send(NEST_LOGS.name, b" " * (32 << 20))
    with pytest.raises(MessageSizeTooLargeError):
        sent.get(timeout=30)
    producer.close()


@pytest.mark.parametrize("timestamp", [-4 * 10**18, -(10**14), -2, 10**11, 4 * 10**15])
def test_the_broker_refuses_a_timestamp_that_no_reader_could_use(
    fresh_topics: str, timestamp: int
) -> None:
    with pytest.raises(InvalidTimestampError):
        append(fresh_topics, NEST_LOGS.name, (b"k", b"{}"), timestamp=timestamp)


def test_records_are_deleted_up_to_a_position_that_there_is(fresh_topics: str) -> None:
    confirm = confirm_unless(True)
    append(fresh_topics, NEST_LOGS.name, *[(b"k", b"{}")] * 3, partition=1)
    for position, message in (
        ("1", "'1' is not a position"),
        ("9:0", "no partition 9"),
        ("1:3", "has the offsets 0 to 2, and not 3"),
    ):
        with pytest.raises(UserError, match=message):
            delete_records_up_to(fresh_topics, position, confirm)
    assert delete_records_up_to(fresh_topics, "1:1", confirm) == 2
    with pytest.raises(UserError, match="has the offsets 2 to 2, and not 1"):
        delete_records_up_to(fresh_topics, "1:1", confirm)


def test_records_are_deleted_after_a_yes_to_how_many_go_that_nobody_has_taken_in(
    fresh_topics: str,
) -> None:
    append(fresh_topics, NEST_LOGS.name, *[(b"k", b"{}")] * 3, partition=1)
    taken_in = QueryProgress(Query.STATS, "running", "2026-11-20T10:00:00Z", end_offsets={1: 2})
    append(fresh_topics, PIPELINE_PROGRESS.name, taken_in.encode())
    environment, ends = {"NEST_BOOTSTRAP_SERVERS": fresh_topics}, []
    for answer in ("n\n", "y\n"):
        command = ["topics", "--delete-up-to", "1:2"]
        done = CliRunner().invoke(app, command, input=answer, env=environment)
        assert (
            "Delete 3 records of nest-logs, up to 1:2? Not committed of them: stats 1 and "
            "archive 3. [y/N]"
        ) in done.stdout
        ends.append((done.exit_code, first_offset(fresh_topics, 1)))
    assert ends == [(1, 0), (0, 3)]


def first_offset(bootstrap: str, partition: int) -> int:
    with open_consumer(bootstrap) as consumer:
        tp = TopicPartition(NEST_LOGS.name, partition)
        return int(consumer.beginning_offsets([tp])[tp])
