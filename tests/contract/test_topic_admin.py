"""Topics have as many partitions and are on as many brokers as the settings say."""

from dataclasses import replace

import pytest
from kafka import KafkaAdminClient
from kafka.errors import InvalidConfigurationError

from contract.errors import UserError
from contract.kafka.log_offsets import end_offsets
from contract.polling import poll_until
from contract.settings import Settings, load_settings
from contract.topic_admin import create_topics, topic_differences, wanted_topics
from contract.topics import CAMERA_STATS, NEST_LOGS, TOPICS
from demo.stack.topics import ensure_topics

THREE_BROKERS = wanted_topics(Settings(replication_factor=3, min_insync_replicas=2))
SIXTEEN_PARTITIONS = wanted_topics(Settings(partitions=16))


@pytest.mark.kafka
def test_more_replicas_than_brokers_are_refused_and_nothing_is_created(fresh_topics: str) -> None:
    admin = KafkaAdminClient(bootstrap_servers=fresh_topics)
    admin.delete_topics([CAMERA_STATS.name])
    poll_until(lambda: CAMERA_STATS.name not in admin.list_topics(), "the topic's end", 30)
    with pytest.raises(UserError, match="NEST_REPLICATION_FACTOR=3 is more than the 1 broker that"):
        ensure_topics(fresh_topics, THREE_BROKERS)
    assert CAMERA_STATS.name not in admin.list_topics()
    create_topics(admin)
    admin.close()


@pytest.mark.kafka
def test_topics_with_fewer_replicas_than_asked_for_are_named(fresh_topics: str) -> None:
    admin = KafkaAdminClient(bootstrap_servers=fresh_topics)
    one = wanted_topics(Settings(replication_factor=1, min_insync_replicas=1))
    assert topic_differences(admin, one) == []
    found = [str(each) for each in topic_differences(admin, THREE_BROKERS[:1])]
    assert found == [
        "nest-logs: min.insync.replicas is 1, should be 2",
        "nest-logs: replication factor is 1, should be 3",
    ]
    admin.close()


@pytest.mark.kafka
def test_nest_logs_gets_the_partitions_that_are_asked_for(fresh_topics: str) -> None:
    with pytest.raises(UserError, match="nest-logs: partitions is 4, should be 16"):
        ensure_topics(fresh_topics, SIXTEEN_PARTITIONS)
    admin = KafkaAdminClient(bootstrap_servers=fresh_topics)
    admin.delete_topics([NEST_LOGS.name])
    poll_until(lambda: NEST_LOGS.name not in admin.list_topics(), "the topic's end", 30)
    admin.close()
    assert ensure_topics(fresh_topics, SIXTEEN_PARTITIONS) == [NEST_LOGS.name]
    assert end_offsets(fresh_topics) == dict.fromkeys(range(16), 0)


@pytest.mark.kafka
def test_topics_that_somebody_has_just_created_are_no_error_and_a_refusal_of_another_is(
    fresh_topics: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    admin = KafkaAdminClient(bootstrap_servers=fresh_topics)
    monkeypatch.setattr(admin, "list_topics", list)  # as it was before the other one
    assert create_topics(admin) == [topic.name for topic in TOPICS]
    refused = replace(NEST_LOGS, name="refused", config={"no.such.setting": "1"})
    with pytest.raises(InvalidConfigurationError, match="Unknown topic config name"):
        create_topics(admin, (*TOPICS, refused))
    admin.close()


def test_more_replicas_in_sync_than_there_are_cannot_be_asked_for(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("NEST_REPLICATION_FACTOR", "2")
    monkeypatch.setenv("NEST_MIN_INSYNC_REPLICAS", "3")
    with pytest.raises(UserError, match="no message could be acknowledged"):
        load_settings()


def test_by_default_the_topics_are_those_of_the_demo_and_the_brokers_say_how_many_replicas() -> (
    None
):
    assert wanted_topics(Settings()) == TOPICS
    assert {topic.replicas for topic in TOPICS} == {None}
