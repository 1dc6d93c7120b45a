"""The fixture that other tests stand on."""

import pytest

from contract.kafka.connections import open_admin
from contract.kafka.log_offsets import end_offsets
from contract.topic_admin import topic_differences
from contract.topics import NEST_LOGS
from tests.fixtures.kafka import append

pytestmark = pytest.mark.kafka


@pytest.mark.parametrize("round_", [1, 2])
def test_every_test_gets_empty_topics_with_all_their_settings(
    fresh_topics: str, round_: int
) -> None:
    with open_admin(fresh_topics) as admin:
        assert topic_differences(admin) == []
    assert end_offsets(fresh_topics) == dict.fromkeys(range(NEST_LOGS.partitions), 0)
    append(fresh_topics, NEST_LOGS.name, (b"k", b"v"))
