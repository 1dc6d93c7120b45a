"""Empty topics, and a lake and checkpoints of its own, for each test."""

from collections.abc import Iterator

import pytest

from contract.settings import Settings
from tests.pipeline.queries.runs import new_settings


@pytest.fixture
def settings(bootstrap_servers: str) -> Iterator[Settings]:
    with new_settings(bootstrap_servers) as settings:
        yield settings
