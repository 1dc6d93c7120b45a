"""The services of the live demo are ready when they have done what the next ones wait for."""

from pathlib import Path

import pytest

from contract.settings import Settings
from demo.stack.live_services import producer_service


@pytest.mark.kafka
def test_the_producer_is_ready_whenever_it_has_said_where_it_begins(
    fresh_topics: str, tmp_path: Path
) -> None:
    """Also when it is started again: what an earlier one has sent or said does not count."""
    settings = Settings(bootstrap_servers=fresh_topics, state=tmp_path, homes=1)
    with producer_service(settings) as producer:
        assert producer.log
        assert "timeline of world" in producer.log.read_text()
        producer.kill()
        producer.start()
        assert "timeline of world" in producer.log.read_text()


def test_a_large_world_has_the_time_to_be_built(tmp_path: Path) -> None:
    small, large = (Settings(state=tmp_path, homes=homes) for homes in (5, 1_000_000))
    assert producer_service(large)._timeout > producer_service(small)._timeout + 1800
