"""`nest maintain` beside a running pipeline asks it, and for nothing that it could still need."""

import threading
from pathlib import Path

import pytest

from contract.errors import UserError
from contract.settings import Settings
from pipeline.maintenance.command import maintain
from pipeline.single_writer.lock import pipeline_lock
from tests.pipeline.maintenance.answering_pipeline import DONE, answer_next_request, settings_in


@pytest.fixture
def settings(tmp_path: Path) -> Settings:
    return settings_in(tmp_path)


@pytest.mark.parametrize(("retention_hours", "asked"), [(None, 48), (24, 24)])
def test_a_running_pipeline_keeps_all_versions_that_are_to_be_kept(
    settings: Settings, retention_hours: int | None, asked: int
) -> None:
    hours: list[int] = []
    with pipeline_lock(settings):
        thread = threading.Thread(target=answer_next_request, args=(settings, hours))
        thread.start()
        assert maintain(settings, retention_hours) == DONE
        thread.join()
    assert hours == [asked]


def test_beside_a_running_pipeline_nothing_younger_than_a_day_is_deleted(
    settings: Settings,
) -> None:
    with (
        pipeline_lock(settings),
        pytest.raises(UserError, match=r"A pipeline or another.*stop it first"),
    ):
        maintain(settings, 0)
