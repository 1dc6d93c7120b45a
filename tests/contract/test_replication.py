"""Topics are kept on as many brokers as the settings say."""

import pytest
from kafka import KafkaAdminClient

from contract.errors import UserError
from contract.replication import Replication
from contract.settings import Settings, load_settings
from contract.topics import CAMERA_STATS, TOPICS, create_topics, topic_differences
from demo.commands.topics import ensure_topics


@pytest.mark.kafka
def test_more_replicas_than_brokers_are_refused_and_nothing_is_created(fresh_topics: str) -> None:
    admin = KafkaAdminClient(bootstrap_servers=fresh_topics)
    admin.delete_topics([CAMERA_STATS.name])
    with pytest.raises(UserError, match="NEST_REPLICATION_FACTOR=3 is more than the 1 broker that"):
        ensure_topics(fresh_topics, Replication(3, 2))
    assert CAMERA_STATS.name not in admin.list_topics()
    create_topics(admin)
    admin.close()


@pytest.mark.kafka
def test_topics_with_fewer_replicas_than_asked_for_are_named(fresh_topics: str) -> None:
    admin = KafkaAdminClient(bootstrap_servers=fresh_topics)
    assert topic_differences(admin, replication=Replication(1, 1)) == []
    found = [str(each) for each in topic_differences(admin, TOPICS[:1], Replication(3, 2))]
    assert found == [
        "nest-logs: min.insync.replicas is 1, should be 2",
        "nest-logs: replication factor is 1, should be 3",
    ]
    admin.close()


def test_more_replicas_in_sync_than_there_are_cannot_be_asked_for(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("NEST_REPLICATION_FACTOR", "2")
    monkeypatch.setenv("NEST_MIN_INSYNC_REPLICAS", "3")
    with pytest.raises(UserError, match="no message could be acknowledged"):
        load_settings()


def test_by_default_the_brokers_decide() -> None:
    assert Settings().replication == Replication(None, None)
