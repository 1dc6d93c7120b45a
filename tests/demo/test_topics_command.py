"""`nest topics` creates what is missing and names the setting that differs."""

import pytest
from kafka import KafkaAdminClient
from kafka.admin import ConfigResource, ConfigResourceType

from contract.errors import UserError
from contract.polling import poll_until
from contract.topics import CAMERA_STATS, NEST_LOGS
from demo.commands.topics import ensure_topics

pytestmark = pytest.mark.kafka


def test_topics_that_are_there_and_right_are_left_alone(fresh_topics: str) -> None:
    assert ensure_topics(fresh_topics) == []


def test_a_setting_that_differs_is_named_with_both_values(fresh_topics: str) -> None:
    admin = KafkaAdminClient(bootstrap_servers=fresh_topics)
    wrong = {"retention.ms": "1000", "message.timestamp.after.max.ms": "300000"}
    admin.alter_configs([ConfigResource(ConfigResourceType.TOPIC, NEST_LOGS.name, configs=wrong)])
    admin.close()
    with pytest.raises(UserError, match=r"nest-logs: retention\.ms is 1000, should be -1"):
        ensure_topics(fresh_topics)


def test_a_missing_topic_is_created_again(fresh_topics: str) -> None:
    admin = KafkaAdminClient(bootstrap_servers=fresh_topics)
    admin.delete_topics([CAMERA_STATS.name])
    poll_until(lambda: CAMERA_STATS.name not in admin.list_topics(), "the topic's end", 30)
    admin.close()
    assert ensure_topics(fresh_topics) == [CAMERA_STATS.name]
