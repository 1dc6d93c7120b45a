"""Instants as the Nest API writes them."""

from datetime import datetime

import pytest

from contract.instants import to_epoch_ms
from producer.world.instants import format_epoch_ms


@pytest.mark.parametrize(
    "text",
    ["1970-01-01T00:00:00.000Z", "2026-02-28T23:59:59.999Z", "2028-02-29T12:34:56.007Z"],
)
def test_a_moment_is_written_with_milliseconds(text: str) -> None:
    assert format_epoch_ms(to_epoch_ms(datetime.fromisoformat(text))) == text
