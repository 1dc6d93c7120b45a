"""The pictures of the docs are what their sources make, and show what the settings say."""

import re
from datetime import timedelta
from pathlib import Path

import pytest

from tools.drawings.__main__ import write_drawings
from tools.drawings.count import CountSoFar

IMAGES = Path(__file__).parents[2] / "docs" / "images"


def test_the_pictures_in_git_are_what_make_docs_draws(tmp_path: Path) -> None:
    write_drawings(tmp_path)
    drawn = {path.name: path.read_text() for path in tmp_path.iterdir()}
    assert {name: (IMAGES / name).read_text() for name in drawn} == drawn, "run: make docs"
    assert drawn.keys() == {"flow.svg", "flow-dark.svg", "count.svg", "count-dark.svg"}


@pytest.mark.parametrize("name", ["flow", "count"])
def test_light_and_dark_differ_in_colours_only(name: str) -> None:
    light, dark = ((IMAGES / f"{name}{kind}.svg").read_text() for kind in ("", "-dark"))
    style = re.compile(r"<style>.+?</style>", re.DOTALL)
    assert light != dark
    assert style.sub("", light) == style.sub("", dark)


def test_the_count_follows_the_rules_of_the_pipeline() -> None:
    def minutes(number: int) -> timedelta:
        return timedelta(hours=10, minutes=number)

    count = CountSoFar(41)
    records = [
        (minutes(25), minutes(25)),
        (minutes(25), minutes(47)),
        (minutes(30), minutes(25)),
        (minutes(31), minutes(25)),
        (minutes(10), minutes(70)),
        (minutes(9), minutes(70)),
    ]
    assert [count.take(*record)[1] for record in records] == [
        "on time: 41 → 42",
        "the same sighting: still 42",
        "on time: 42 → 43",
        "from the future: not counted",
        "on time: 43 → 44",
        "too late: not counted",
    ]
