"""Two writers of one folder of an object store: the second one is kept away."""

import os
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest
from obstore.store import S3Store

from contract.bucket_access import open_store
from contract.errors import UserError
from contract.lake import CAMERA
from contract.polling import poll_until
from contract.settings import Settings
from demo.commands.forget import forget
from demo.commands.restore import restore
from demo.stack.environment import environment
from pipeline.commands.repair import repair_archive, repair_camera_status, repair_counts
from pipeline.maintenance.command import maintain
from pipeline.single_writer import lease
from pipeline.single_writer.claims import CLAIMS, Claim, Holder, newest_claim
from pipeline.single_writer.lease import Lease, lease_holder
from pipeline.single_writer.lock import is_locked, pipeline_lock
from pipeline.single_writer.writing_session import exclusive_session


@pytest.fixture
def settings(
    object_store: Settings, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Iterator[Settings]:
    """A folder of its own in the store, and leases that end within seconds."""
    lost: list[str] = []
    monkeypatch.setattr(lease, "LEASE_S", 3.0)
    monkeypatch.setattr(lease, "_RENEW_S", 0.2)
    monkeypatch.setattr(lease, "_GIVE_UP_S", 2.0)
    # On a machine that stalls a lease may be lost; this process has other tests to run.
    monkeypatch.setattr("pipeline.single_writer.lock._end_at_once", lost.append)
    folder = f"s3a://nest/{tmp_path.name}"
    yield object_store.model_copy(
        update={"lake": f"{folder}/lake", "checkpoints": f"{folder}/checkpoints"}
    )
    assert not lost, "the lock of a test was lost while it ran"


def new_lease(settings: Settings, lost: list[str] | None = None) -> Lease:
    assert settings.object_store is not None
    return Lease(settings.object_store, settings.lake, [].append if lost is None else lost.append)


def test_a_second_writer_is_refused_with_who_the_first_is(settings: Settings) -> None:
    assert not is_locked(settings)
    with pipeline_lock(settings):
        assert is_locked(settings)
        with (
            pytest.raises(
                UserError, match=f"writes to {settings.checkpoints} .process {os.getpid()}"
            ),
            pipeline_lock(settings),
        ):
            pytest.fail("two writers")
        with (
            pytest.raises(UserError, match=f"writes to {settings.lake} .process"),
            pipeline_lock(settings.model_copy(update={"checkpoints": "s3a://nest/other"})),
        ):
            pytest.fail("two writers of one lake, by other checkpoints")
    assert not is_locked(settings)
    with pipeline_lock(settings):
        pass


@pytest.mark.parametrize("content", [b"{", b"5", b'[["only an id"], 0]'])
def test_an_object_that_is_no_claim_of_ours_is_named(settings: Settings, content: bytes) -> None:
    assert settings.object_store is not None
    store = open_store(settings.object_store, settings.lake)
    store.put(f"{CLAIMS}/{7:020d}", content)
    with pytest.raises(UserError, match=rf"{7:020d} in the store is no claim"):
        is_locked(settings)
    with pytest.raises(UserError, match="no claim"), pipeline_lock(settings):
        pytest.fail("it holds no lease")


def test_maintenance_beside_a_pipeline_is_refused(settings: Settings) -> None:
    with (
        pipeline_lock(settings),
        pytest.raises(UserError, match="A pipeline maintains the tables itself"),
    ):
        maintain(settings)


def test_forget_and_restore_beside_a_pipeline_are_refused(settings: Settings) -> None:
    def confirm(question: str) -> None:
        pytest.fail(question)

    with pipeline_lock(settings):
        with pytest.raises(UserError, match="works with the lake, and could write the home again"):
            forget(settings, "home", None, confirm, pytest.fail)
        with pytest.raises(UserError, match=r"may write to camera\. Stop it first"):
            restore(settings, CAMERA, 1, confirm, pytest.fail)
        # One that starts while the question waits for an answer.
        refused = pytest.raises(UserError, match="Another pipeline, or a command that excludes one")
        with refused, exclusive_session(settings):
            pytest.fail("two writers")


@pytest.mark.kafka
@pytest.mark.parametrize("command", [repair_archive, repair_camera_status, repair_counts])
def test_repairs_beside_a_pipeline_are_refused(
    settings: Settings, fresh_topics: str, command: Callable[[Settings], object]
) -> None:
    settings = settings.model_copy(update={"bootstrap_servers": fresh_topics})
    with pipeline_lock(settings), pytest.raises(UserError, match="Another pipeline, or a command"):
        command(settings)


@pytest.fixture
def killed_writer(settings: Settings) -> None:
    """A process that took the lock and was killed."""
    code = (
        "import os, signal\n"
        "from contract.settings import load_settings\n"
        "from pipeline.single_writer.lock import pipeline_lock\n"
        "with pipeline_lock(load_settings()):\n"
        "    os.kill(os.getpid(), signal.SIGKILL)\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], env={**os.environ, **environment(settings)}, check=False
    )
    assert done.returncode == -9


@pytest.mark.usefixtures("killed_writer")
def test_a_writer_that_was_killed_here_is_followed_at_once(settings: Settings) -> None:
    assert not is_locked(settings)
    with pipeline_lock(settings):
        assert is_locked(settings)


def test_of_several_that_follow_a_dead_one_elsewhere_one_writes(
    settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Holder, "is_dead", lambda holder: False)  # nobody knows: another machine
    new_lease(settings).take()
    took: list[int] = []

    def follow(number: int) -> None:
        try:
            new_lease(settings).take()
        except UserError:
            return
        took.append(number)

    threads = [threading.Thread(target=follow, args=(number,)) for number in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(took) == 1


def test_a_writer_that_stood_still_too_long_ends_when_it_goes_on(
    settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Holder, "is_dead", lambda holder: False)
    lost: list[str] = []
    sleeper = new_lease(settings, lost)
    sleeper.take()
    with new_lease(settings).held():
        sleeper._renewals.start()  # it goes on
        poll_until(lambda: lost, "the end of the one that slept", 10)
        assert lost == [f"another process has taken the lease of {settings.lake}"]


def test_a_writer_that_the_store_does_not_answer_ends_before_its_lease_does(
    settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    lost: list[str] = []
    holder = new_lease(settings, lost)
    with holder.held():
        monkeypatch.setattr(holder, "_put", _refuse)
        poll_until(lambda: lost, "the end of the lease", 10)
    assert lost == [f"the lease of {settings.lake} could not be renewed in time"]


def _refuse(*arguments: object) -> None:
    raise OSError("no answer")


def test_a_writer_ends_before_its_lease_does_while_it_waits_for_the_store(
    settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    lost: list[str] = []
    answer = threading.Event()
    holder = new_lease(settings, lost)
    put = holder._put

    def put_late(*arguments: Any) -> None:
        answer.wait(20)
        put(*arguments)

    with holder.held():
        monkeypatch.setattr(holder, "_put", put_late)
        poll_until(lambda: lost, "the end of the lease", 10)
        answer.set()
    assert lost == [f"the lease of {settings.lake} could not be renewed in time"]


def test_a_writer_ends_soon_after_its_machine_was_suspended_for_longer_than_the_lease(
    settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(lease, "_GIVE_UP_S", 600.0)
    lost: list[str] = []
    holder = new_lease(settings, lost)
    with holder.held():
        monkeypatch.setattr(holder, "_put", _refuse)  # its connection is dead by then
        before = lease._now()
        monkeypatch.setattr(lease, "_now", lambda: before + 601)
        poll_until(lambda: lost, "the end of the lease", 10)
    assert lost == [f"the lease of {settings.lake} could not be renewed in time"]


def stand_still_after_looking(
    monkeypatch: pytest.MonkeyPatch, meanwhile: Callable[[], None]
) -> None:
    """Let the next process that looks for the newest claim go on with it only after something."""

    def look_and_stand_still(store: S3Store) -> Claim | None:
        monkeypatch.setattr(lease, "newest_claim", newest_claim)
        seen = newest_claim(store)
        meanwhile()
        return seen

    monkeypatch.setattr(lease, "newest_claim", look_and_stand_still)


def hold_and_release(settings: Settings) -> None:
    with new_lease(settings).held():
        pass


def test_a_writer_that_stood_still_while_others_came_is_refused(
    settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    with ExitStack() as others:

        def come_and_stay() -> None:
            hold_and_release(settings)
            others.enter_context(new_lease(settings).held())  # which removes the claim before it

        stand_still_after_looking(monkeypatch, come_and_stay)
        with pytest.raises(UserError, match=f"writes to {settings.lake} .process {os.getpid()}"):
            new_lease(settings).take()


def test_a_writer_that_stood_still_while_others_came_and_went_follows_them(
    settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    def come_and_go() -> None:
        hold_and_release(settings)
        hold_and_release(settings)

    stand_still_after_looking(monkeypatch, come_and_go)
    with new_lease(settings).held(), pytest.raises(UserError, match=f"writes to {settings.lake}"):
        new_lease(settings).take()


def test_a_store_that_ignores_conditions_is_refused(
    settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    class Careless:
        def __init__(self, store: object) -> None:
            self._store = store

        def __getattr__(self, name: str) -> object:
            return getattr(self._store, name)

        def put(self, path: str, content: bytes, mode: str) -> object:
            return self._store.put(path, content, mode="overwrite")  # type: ignore[attr-defined]

    holder = new_lease(settings)
    monkeypatch.setattr(holder, "_store", Careless(holder._store))
    with pytest.raises(UserError, match="puts an object over another though it is told not to"):
        holder.take()


def test_nobody_holds_a_lease_that_was_given_back(settings: Settings) -> None:
    assert settings.object_store is not None
    with new_lease(settings).held():
        assert lease_holder(settings.object_store, settings.lake) is not None
    assert lease_holder(settings.object_store, settings.lake) is None
