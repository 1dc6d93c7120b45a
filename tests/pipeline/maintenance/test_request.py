"""A running pipeline does what `nest maintain` asks for, and answers."""

import threading
from pathlib import Path

import pytest

from contract.errors import UserError
from pipeline.maintenance.request import next_request, request_maintenance
from pipeline.spark.lock import is_locked, pipeline_lock
from tests.pipeline.maintenance.answering_pipeline import DONE, answer_next_request, settings_in


@pytest.mark.parametrize("error", [None, "There is no table yet."])
def test_the_pipeline_answers_with_what_it_has_done(tmp_path: Path, error: str | None) -> None:
    settings = settings_in(tmp_path)
    hours: list[int | None] = []
    with pipeline_lock(settings):
        assert is_locked(settings)
        thread = threading.Thread(target=answer_next_request, args=(settings, hours, error))
        thread.start()
        if error:
            with pytest.raises(UserError, match=error):
                request_maintenance(settings, 48, timeout=20)
        else:
            assert request_maintenance(settings, 48, timeout=20) == DONE
        thread.join()
    assert hours == [48]
    assert not is_locked(settings)
    assert next_request(settings) is None


def test_a_pipeline_that_ends_meanwhile_is_said(tmp_path: Path) -> None:
    with pytest.raises(UserError, match="The pipeline ended before"):
        request_maintenance(settings_in(tmp_path), None, timeout=20)
