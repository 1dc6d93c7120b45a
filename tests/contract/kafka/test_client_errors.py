"""What the errors of Kafka's client become for people."""

import pytest
from kafka.errors import (
    ClusterAuthorizationFailedError,
    KafkaError,
    TopicAuthorizationFailedError,
    UnknownTopicOrPartitionError,
)

from contract.errors import UserError
from contract.kafka.client_errors import explain_request_errors
from contract.kafka.cluster import KafkaCluster

SENTENCE = "Request 'Metadata(topics=[nest-logs])' failed with response 'None'."


@pytest.mark.parametrize(
    ("error", "says"),
    [
        (UnknownTopicOrPartitionError("nest-logs"), r"There is no topic nest-logs\. "),
        (UnknownTopicOrPartitionError(SENTENCE), r"There is no such topic\. "),
        (UnknownTopicOrPartitionError(), r"There is no such topic\. "),
        (TopicAuthorizationFailedError({"b", "a"}), r"may not Read a, b\. "),
        (TopicAuthorizationFailedError(SENTENCE), r"may not Read the topics\. "),
        (ClusterAuthorizationFailedError(), r"may not Read the cluster\. "),
        (ClusterAuthorizationFailedError(SENTENCE), r"may not Read the cluster\. "),
    ],
)
def test_a_refusal_names_topics_and_takes_no_other_text_for_one(
    error: KafkaError, says: str
) -> None:
    with (
        pytest.raises(UserError, match=says),
        explain_request_errors(KafkaCluster("localhost:9092"), "Read"),
    ):
        raise error
