"""The fixture that other tests stand on."""

import pytest
from kafka import KafkaAdminClient, KafkaConsumer, KafkaProducer

from contract.topic_admin import topic_differences
from contract.topics import NEST_LOGS

pytestmark = pytest.mark.kafka


@pytest.mark.parametrize("round_", [1, 2])
def test_every_test_gets_empty_topics_with_all_their_settings(
    fresh_topics: str, round_: int
) -> None:
    admin = KafkaAdminClient(bootstrap_servers=fresh_topics)
    assert topic_differences(admin) == []
    admin.close()
    consumer = KafkaConsumer(bootstrap_servers=fresh_topics)
    partitions = consumer.partitions_for_topic(NEST_LOGS.name)
    from kafka import TopicPartition

    ends = consumer.end_offsets([TopicPartition(NEST_LOGS.name, n) for n in partitions])
    consumer.close()
    assert set(ends.values()) == {0}
    producer = KafkaProducer(bootstrap_servers=fresh_topics)
    producer.send(NEST_LOGS.name, key=b"k", value=b"v").get(timeout=10)
    producer.close()
