"""A running pipeline does what `nest maintain` asks for, and answers."""

import threading
from concurrent.futures import FIRST_COMPLETED, ThreadPoolExecutor, wait
from pathlib import Path

import pytest

from contract.errors import UserError
from contract.polling import poll_until
from pipeline.maintenance.request import answer, next_request, request_maintenance
from pipeline.single_writer.lock import is_locked, pipeline_lock
from tests.pipeline.maintenance.answering_pipeline import DONE, answer_next_request, settings_in


@pytest.mark.parametrize("error", [None, "There is no table yet."])
def test_the_pipeline_answers_with_what_it_has_done(tmp_path: Path, error: str | None) -> None:
    settings = settings_in(tmp_path)
    hours: list[int] = []
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


def test_each_of_several_that_ask_gets_its_own_answer(tmp_path: Path) -> None:
    settings = settings_in(tmp_path)
    with pipeline_lock(settings), ThreadPoolExecutor() as pool:
        asking = [
            pool.submit(request_maintenance, settings, hours, timeout=20) for hours in (24, 48)
        ]
        poll_until(lambda: len([*tmp_path.glob("maintenance.request.*")]) == 2, "both", 20)
        hours: list[int] = []
        answer_next_request(settings, hours)
        done, _ = wait(asking, 20, FIRST_COMPLETED)
        assert [len(done), len(hours)] == [1, 1]
        answer_next_request(settings, hours)
        assert [each.result(20) for each in asking] == [DONE, DONE]
    assert set(hours) == {24, 48}
    assert [*tmp_path.glob("maintenance.*")] == []


def test_nothing_is_left_for_somebody_who_has_gone_while_the_pipeline_worked(
    tmp_path: Path,
) -> None:
    settings = settings_in(tmp_path)
    with pipeline_lock(settings), ThreadPoolExecutor() as pool:
        asking = pool.submit(request_maintenance, settings, 48, timeout=1)
        request = poll_until(lambda: next_request(settings), "the request", 20)
        with pytest.raises(UserError, match="The pipeline goes on with it"):
            asking.result(20)
        answer(settings, request, lambda hours: DONE)
    assert [*tmp_path.glob("maintenance.*")] == []


def test_beside_a_command_that_maintains_nothing_it_is_said_that_nobody_has_begun(
    tmp_path: Path,
) -> None:
    settings = settings_in(tmp_path)
    with (
        pipeline_lock(settings),
        pytest.raises(UserError, match="No pipeline has taken the request"),
    ):
        request_maintenance(settings, 48, taken_within=0.5)
    assert [*tmp_path.glob("maintenance.*")] == []


def test_a_pipeline_that_ends_meanwhile_is_said(tmp_path: Path) -> None:
    with pytest.raises(UserError, match="The pipeline ended before"):
        request_maintenance(settings_in(tmp_path), 48, timeout=20)
