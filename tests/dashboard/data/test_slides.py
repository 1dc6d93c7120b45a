"""The presenter's mode: each slide in turn."""

from datetime import timedelta

import pytest

from dashboard.data.slides import chosen_slide, seconds_per_slide, slide_number


def test_the_slides_come_in_turn_again_and_again():
    shown = [slide_number(timedelta(seconds=s), 20, 3) for s in (-5, 0, 19.9, 20, 45, 60, 3600)]
    assert shown == [0, 0, 0, 1, 2, 0, 0]


@pytest.mark.parametrize(
    ("text", "seconds"),
    [("", 20), ("30", 30), ("3", 3), ("2", 20), ("0", 20), ("-5", 20), ("x", 20), ("99999", 20)],
)
def test_the_address_may_say_how_long_a_slide_stays(text: str, seconds: int):
    assert seconds_per_slide(text) == seconds


@pytest.mark.parametrize(
    ("text", "slide"), [("", None), ("1", 0), ("3", 2), ("4", None), ("0", None), ("x", None)]
)
def test_the_address_may_say_which_slide_stays(text: str, slide: int | None):
    assert chosen_slide(text, 3) == slide
