"""A drill that damages a table leaves one alone that is too young for it."""

from pathlib import Path

import pytest

from contract.errors import UserError
from contract.settings import Settings
from demo.drills.registry import find_drill
from demo.drills.running_demo import RunningDemo
from tests.demo.drills.test_running_demo import NoServices


@pytest.mark.parametrize(("drill", "needed"), [("log-gap", 2), ("table-old", 4)])
def test_a_table_with_too_few_commits_is_left_alone(
    tmp_path: Path, drill: str, needed: int
) -> None:
    log = tmp_path / "camera" / "_delta_log"
    log.mkdir(parents=True)
    for version in range(needed):
        demo = RunningDemo(Settings(lake=str(tmp_path)), NoServices())
        with pytest.raises(UserError, match=f"needs {needed} commits of the table camera"):
            list(find_drill(drill).disturb(demo))
        (log / f"{version:020}.json").touch()
        assert len(list(log.iterdir())) == version + 1
    list(find_drill(drill).disturb(demo))
    assert len(list(log.iterdir())) < needed
