"""A producer knows of each message where it is, or why it is nowhere."""

import pytest

from examples.kafka.acknowledged_producer import Observed, SendOutcome, run
from examples.playground import Playground

pytestmark = pytest.mark.kafka


def test_a_message_is_acknowledged_or_its_error_is_known(playground: Playground) -> None:
    assert run(playground) == Observed(
        partitions=3,
        replicas=1,
        acknowledged=[(0, 0), *((1, n) for n in range(3)), *((2, n) for n in range(6))],
        partitions_of_one_home=1,
        errors={
            "topic with 3 replicas on 1 broker": "InvalidReplicationFactorError",
            "5 MB in one message": "MessageSizeTooLargeError",
            "stamped tomorrow": "InvalidTimestampError",
            "topic that is not there": "KafkaTimeoutError",
        },
        unknown={
            "waited for": SendOutcome("KafkaTimeoutError", had_given_up=False, in_the_topic=1),
            "sent again": SendOutcome("KafkaTimeoutError", had_given_up=False, in_the_topic=2),
            "given up": SendOutcome("KafkaTimeoutError", had_given_up=True, in_the_topic=1),
        },
    )
