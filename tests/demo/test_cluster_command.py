"""`nest cluster` says in one sentence why it cannot begin, or that nothing runs."""

import signal
import socket
import subprocess
import sys
from pathlib import Path

import pytest
from rich.console import Console

from contract.errors import UserError
from contract.settings import Settings, load_settings
from demo.cluster.cluster import Cluster
from demo.commands import cluster
from demo.commands.reset import find_leftovers
from demo.stack.environment import environment, shell_exports
from demo.stack.exclusive_commands import ExclusiveCommand
from demo.stack.ports import LOOPBACK
from demo.stack.run_lock import RunLock
from demo.stack.working_folder import link_jars


def test_there_is_nothing_to_stop(tmp_path: Path) -> None:
    with pytest.raises(UserError, match=r"No cluster runs\. `nest cluster up` starts one"):
        cluster.down(Settings(state=tmp_path))


def test_a_process_that_has_ended_meanwhile_does_not_keep_the_others_running(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with subprocess.Popen([sys.executable, "-c", ""]) as ended:
        ended.wait()
    with subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE) as left:
        alive = iter([{"Kafka 1": left.pid, "Spark master": ended.pid}, {}])
        monkeypatch.setattr(RunLock, "alive", lambda lock: next(alive))
        assert cluster.down(Settings(state=tmp_path)) == ["Kafka 1", "Spark master"]
        assert left.wait(10) == -signal.SIGKILL


def test_a_shell_reads_every_setting_as_it_is(tmp_path: Path) -> None:
    settings = Settings(lake=str(tmp_path / "Ann's $HOME"))
    (tmp_path / "settings.env").write_text(shell_exports(environment(settings)))
    script = '. "$0" && printf %s "$NEST_LAKE"'
    read = subprocess.run(
        ["sh", "-c", script, str(tmp_path / "settings.env")],
        capture_output=True,
        text=True,
        check=True,
    )
    assert read.stdout == settings.lake


def test_a_second_cluster_in_the_same_folder_is_refused(tmp_path: Path) -> None:
    settings = Settings(state=tmp_path)
    with (
        RunLock(tmp_path, ExclusiveCommand.CLUSTER).held(),
        pytest.raises(UserError, match="`nest cluster up` is running already"),
    ):
        cluster.up(settings, Console())


def test_without_its_jars_nothing_is_started(tmp_path: Path) -> None:
    with pytest.raises(UserError, match=r"jars are not in .* `nest jars --cluster` fetches them"):
        cluster.up(Settings(state=tmp_path, homes=1), Console(quiet=True))
    assert not (tmp_path / "cluster" / "kafka").exists()


def test_too_little_memory_is_said(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cluster, "MEMORY_GB", 1e6)
    with pytest.raises(UserError, match="GB of memory are free, and the cluster takes"):
        cluster.up(Settings(state=tmp_path), Console())


def test_an_address_of_another_machine_is_refused(tmp_path: Path) -> None:
    with pytest.raises(UserError, match=r"NEST_BIND_ADDRESS=192\.0\.2\.1 is no address of this"):
        cluster.up(Settings(state=tmp_path, bind_address="192.0.2.1"), Console(quiet=True))


def test_the_ports_are_chosen_before_they_are_written_for_other_terminals(tmp_path: Path) -> None:
    link_jars(load_settings(), tmp_path)
    with socket.socket() as other:
        other.bind((LOOPBACK, 0))
        port = other.getsockname()[1]
        settings = Settings(state=tmp_path, homes=1, dashboard_port=port, spark_ui_port=port)
        described = Cluster(settings, tmp_path / "cluster").settings
    assert port not in (described.dashboard_port, described.spark_ui_port)


def test_messages_of_another_seed_are_refused_before_anything_starts(tmp_path: Path) -> None:
    log = tmp_path / "cluster" / "kafka" / "log-1"
    log.mkdir(parents=True)
    (log / "meta.properties").touch()
    (log.parent / "seed").write_text("1\n")
    with pytest.raises(UserError, match=r"of NEST_SEED=1, and NEST_SEED is now 2\."):
        cluster.up(Settings(state=tmp_path, seed=2, homes=1), Console(quiet=True))


def test_users_of_kafka_are_refused(tmp_path: Path) -> None:
    link_jars(load_settings(), tmp_path)
    with pytest.raises(UserError, match="`nest cluster` has no users yet"):
        cluster.up(Settings(state=tmp_path, kafka_secure=True), Console())


def test_reset_removes_what_a_cluster_left(tmp_path: Path) -> None:
    store = tmp_path / "cluster" / "store"
    store.mkdir(parents=True)
    (store / "s3proxy.conf").touch()
    settings = Settings(
        state=tmp_path, lake=str(tmp_path / "lake"), checkpoints=str(tmp_path / "checkpoints")
    )
    assert tmp_path / "cluster" in find_leftovers(settings, everything=False)
