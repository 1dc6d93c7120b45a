"""Topics have as many partitions and are on as many brokers as the settings say."""

from dataclasses import replace
from typing import Any

import pytest
from kafka import KafkaAdminClient
from kafka.errors import InvalidConfigurationError

from contract.errors import UserError
from contract.kafka.connections import open_admin
from contract.kafka.log_offsets import end_offsets
from contract.settings import Settings, load_settings
from contract.topic_admin import create_topics, topic_differences, wanted_topics
from contract.topics import CAMERA_STATS, NEST_LOGS, TOPICS
from demo.stack.topics import ensure_topics
from tests.fixtures.kafka import delete_topic

THREE_BROKERS = wanted_topics(Settings(replication_factor=3, min_insync_replicas=2))
SIXTEEN_PARTITIONS = wanted_topics(Settings(partitions=16))


@pytest.mark.kafka
def test_more_replicas_than_brokers_are_refused_and_nothing_is_created(fresh_topics: str) -> None:
    delete_topic(fresh_topics, CAMERA_STATS.name)
    with pytest.raises(UserError, match="NEST_REPLICATION_FACTOR=3 is more than the 1 broker that"):
        ensure_topics(fresh_topics, THREE_BROKERS)
    with open_admin(fresh_topics) as admin:
        assert CAMERA_STATS.name not in admin.list_topics()
        create_topics(admin)


@pytest.mark.kafka
def test_topics_with_fewer_replicas_than_asked_for_are_named(fresh_topics: str) -> None:
    one = wanted_topics(Settings(replication_factor=1, min_insync_replicas=1))
    with open_admin(fresh_topics) as admin:
        assert topic_differences(admin, one) == []
        found = [str(each) for each in topic_differences(admin, THREE_BROKERS[:1])]
    assert found == [
        "nest-logs: min.insync.replicas is 1, should be 2",
        "nest-logs: replication factor is 1, should be 3",
    ]


@pytest.mark.kafka
def test_nest_logs_gets_the_partitions_that_are_asked_for(fresh_topics: str) -> None:
    with pytest.raises(UserError, match="nest-logs: partitions is 4, should be 16"):
        ensure_topics(fresh_topics, SIXTEEN_PARTITIONS)
    delete_topic(fresh_topics, NEST_LOGS.name)
    assert ensure_topics(fresh_topics, SIXTEEN_PARTITIONS) == [NEST_LOGS.name]
    assert end_offsets(fresh_topics) == dict.fromkeys(range(16), 0)


@pytest.mark.kafka
def test_topics_that_somebody_has_just_created_are_no_error_and_a_refusal_of_another_is(
    fresh_topics: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    refused = replace(NEST_LOGS, name="refused", config={"no.such.setting": "1"})
    with open_admin(fresh_topics) as admin:
        monkeypatch.setattr(admin, "list_topics", list)  # as it was before the other one
        assert create_topics(admin) == [topic.name for topic in TOPICS]
        with pytest.raises(InvalidConfigurationError, match="Unknown topic config name"):
            create_topics(admin, (*TOPICS, refused))


@pytest.mark.kafka
def test_a_topic_that_the_broker_asked_has_not_heard_of_yet_is_awaited(
    fresh_topics: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked_for: list[str] = []
    describe = KafkaAdminClient.describe_topics

    def describe_as_if_new(admin: KafkaAdminClient, names: list[str]) -> Any:
        asked_for.extend(names)
        is_new = names == [NEST_LOGS.name] and asked_for.count(NEST_LOGS.name) < 3
        return describe(admin, ["no-such-topic"] if is_new else names)

    monkeypatch.setattr(KafkaAdminClient, "describe_topics", describe_as_if_new)
    assert ensure_topics(fresh_topics) == []
    assert asked_for.count(NEST_LOGS.name) == 3


@pytest.mark.kafka
def test_a_topic_that_stays_unknown_is_called_missing(
    fresh_topics: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    describe = KafkaAdminClient.describe_topics

    def describe_none(admin: KafkaAdminClient, names: list[str]) -> Any:
        return describe(admin, ["no-such-topic"])

    monkeypatch.setattr("demo.stack.topics._KNOWN_WITHIN_S", 0.5)
    monkeypatch.setattr(KafkaAdminClient, "describe_topics", describe_none)
    with pytest.raises(UserError, match="nest-logs: topic is missing, should be there"):
        ensure_topics(fresh_topics)


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
