"""Who waits for the demo in vain reads what for, and where to look."""

import pytest

from contract.errors import UserError
from demo.drills.wait_for_demo import wait_for_demo


def test_what_comes_is_returned_and_what_does_not_is_named() -> None:
    assert wait_for_demo(lambda: 5, "a number", 1) == 5
    words = r"in vain: the start of kafka did not come within 0 s\. The logs of the demo say why"
    with pytest.raises(UserError, match=words):
        wait_for_demo(lambda: None, "the start of kafka", 0)
