"""What `nest maintain --retention` takes."""

import pytest

from contract.errors import UserError
from demo.commands.maintain import retention_hours


@pytest.mark.parametrize(
    ("text", "force", "hours"),
    [(None, False, None), ("2 days", False, 48), ("90 minutes", True, 2), ("0 hours", True, 0)],
)
def test_a_retention_is_read_in_whole_hours(text: str | None, force: bool, hours: int) -> None:
    assert retention_hours(text, force) == hours


@pytest.mark.parametrize(
    ("text", "message"), [("1 hour", "less than a day.*--force"), ("soon", "not a duration")]
)
def test_a_retention_that_a_reader_could_outlive_is_refused(text: str, message: str) -> None:
    with pytest.raises(UserError, match=message):
        retention_hours(text, force=False)
