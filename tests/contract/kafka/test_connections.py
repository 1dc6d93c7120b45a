"""What Kafka answers to a client: what is waited for, what is not, and what it does not know."""

from dataclasses import replace

import pytest
from kafka.errors import InvalidRequestError, KafkaConnectionError

from contract.errors import NoBroker, UserError
from contract.kafka.connections import describe_topic, open_admin, open_consumer
from contract.settings import Settings
from contract.topics import NEST_LOGS
from pipeline.checkpoints.origin import topic_id

pytestmark = pytest.mark.kafka


@pytest.mark.parametrize("open_client", [open_admin, open_consumer])
def test_only_a_broker_that_may_answer_later_is_waited_for(
    bootstrap_servers: str, open_client
) -> None:
    with pytest.raises(NoBroker, match="No Kafka broker answers"), open_client(bootstrap_servers):
        raise KafkaConnectionError("gone")
    refuses = pytest.raises(UserError, match=r"refused: .*InvalidRequest")
    with refuses as refused, open_client(bootstrap_servers):
        raise InvalidRequestError("not here")
    assert not isinstance(refused.value, NoBroker)


def test_a_topic_that_the_broker_does_not_know_has_no_id(
    bootstrap_servers: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("contract.kafka.connections.TIMEOUT_MS", 500)
    settings = Settings(bootstrap_servers=bootstrap_servers)
    with pytest.raises(UserError, match="There is no topic never-created"):
        topic_id(settings, replace(NEST_LOGS, name="never-created"))


def test_a_topic_is_described_once_it_is_known(fresh_topics: str) -> None:
    with open_admin(fresh_topics) as admin:
        described = describe_topic(admin, "nest-logs")
    assert (described["name"], len(described["partitions"])) == ("nest-logs", 4)
