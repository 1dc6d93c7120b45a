"""The whole demo as its user runs it: bounded with `nest run`, live with `nest up`."""

import csv
import json
import os
import re
import shlex
import signal
import subprocess
import time
import urllib.request
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

import psutil
import pytest

from contract.polling import poll_until
from contract.settings import load_settings
from demo.stack.working_folder import link_jars
from tests.fixtures.nest_command import nest, nest_process

pytestmark = [pytest.mark.kafka, pytest.mark.spark, pytest.mark.timeout(900)]


@pytest.fixture
def environment(tmp_path: Path) -> dict[str, str]:
    """A folder of its own for what the demo leaves, and a world small enough to be quick."""
    state = tmp_path / "nest"
    state.mkdir()
    link_jars(load_settings(), state)
    return {
        "NEST_STATE": str(state),
        "NEST_LAKE": str(state / "lake"),
        "NEST_CHECKPOINTS": str(state / "checkpoints"),
        "NEST_SEED": "7",
        "NEST_HOMES": "40",
        "NEST_HISTORY": "6 hours",
        "NEST_THRESHOLD": "10",
        "COLUMNS": "120",
    }


class Demo:
    """A running `nest up` and what it has printed."""

    def __init__(self, process: subprocess.Popen[bytes], output: Path, state: Path) -> None:
        self.process, self._output, self._state = process, output, state

    @property
    def printed(self) -> str:
        return self._output.read_text()

    def show_report(self) -> str:
        """Wait for the first report and return all that was printed."""
        poll_until(
            lambda: "Ctrl-C stops" in self.printed or self.process.poll() is not None,
            "the first report",
            300,
        )
        assert self.process.poll() is None, self.printed
        return self.printed

    def processes(self) -> dict[str, int]:
        return {name: pid for name, (pid, _) in json.loads(self._lock_file.read_text()).items()}

    @property
    def _lock_file(self) -> Path:
        return self._state / "up.json"


@contextmanager
def up(environment: Mapping[str, str]) -> Iterator[Demo]:
    state = Path(environment["NEST_STATE"])
    output = state / "up.out"
    output.unlink(missing_ok=True)
    with nest_process("up", log=output, **environment) as process:
        try:
            yield Demo(process, output, state)
        finally:
            process.terminate()
            process.wait(30)


def check_holds(environment: Mapping[str, str]) -> bool:
    """Check the live demo: it holds as soon as both queries have committed a batch."""
    done = nest("check", timeout=300, **environment)
    print(done.stdout, done.stderr)  # noqa: T201 - what pytest shows if it never holds
    return done.returncode == 0


def a_camera(environment: Mapping[str, str]) -> tuple[str, str]:
    """Return a camera of the simulation, and its zip code."""
    (places,) = Path(environment["NEST_STATE"]).glob("device_locations-*.csv")
    with places.open(newline="") as file:
        row = next(csv.DictReader(file))
    return row["device_id"], row["zip_code"]


def kafka_of(printed: str) -> str:
    return next(line.split()[1] for line in printed.splitlines() if line.startswith("Kafka  "))


def metrics_of(printed: str) -> str:
    """Return what Prometheus would read, once it has come to the queries."""
    address = next(line.split()[1] for line in printed.splitlines() if line.startswith("Metrics  "))

    def scrape() -> str:
        text: str = urllib.request.urlopen(address, timeout=10).read().decode()  # noqa: S310
        return text if "nest_pipeline_up " in text else ""

    return poll_until(scrape, "the metrics of the queries", 30)


def test_a_bounded_run_proves_itself(environment: dict[str, str]) -> None:
    messages = ("--messages", "3000", "--start", "2026-03-04T15:00:00")
    done = nest("run", *messages, timeout=600, **environment)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "The check holds" in done.stdout
    assert "device_locations-7-40.csv" in done.stdout
    left = Path(environment["NEST_STATE"]) / "run"
    assert {"kafka", "lake", "checkpoints"} <= {path.name for path in left.iterdir()}
    assert not (left.parent / "run.json").exists()
    check_what_is_left(done.stdout, environment)


def check_what_is_left(printed: str, environment: Mapping[str, str]) -> None:
    """Type the two commands that are printed, in a shell that knows nothing of the run's world."""
    broker, check = re.findall(r"`([^`]+)`", printed.partition("To look at it: ")[2])
    shell = {**os.environ, **environment}
    for name in ("NEST_SEED", "NEST_HOMES"):
        del shell[name]
    with subprocess.Popen(
        shlex.split(broker), env=shell, stdout=subprocess.PIPE, text=True
    ) as kafka:
        try:
            assert kafka.stdout
            assert "Kafka answers at" in kafka.stdout.readline()
            done = subprocess.run(
                ["sh", "-c", check], env=shell, capture_output=True, text=True, check=False
            )
        finally:
            kafka.terminate()
    assert done.returncode == 0, done.stdout + done.stderr
    assert "The check holds" in done.stdout


def test_live_it_goes_on_after_ctrl_c_and_loses_nothing(environment: dict[str, str]) -> None:
    environment["NEST_PARTITIONS"] = "6"  # not as by default
    with up(environment) as demo:
        printed = demo.show_report()
        for address in ("Dashboard  http://localhost:", "Spark UI   http://localhost:"):
            assert address in printed
        environment["NEST_BOOTSTRAP_SERVERS"] = kafka_of(printed)
        first = json.loads(nest("report", "--format", "json", **environment).stdout)
        assert first
        again = nest("up", **environment)
        assert "is running already" in again.stderr
        processes = demo.processes()
        services = ["Kafka", "Producer", "Pipeline", "Dashboard", "Metrics"]
        assert set(processes) == {"nest up", *services}
        assert "nest_pipeline_up 1.0" in metrics_of(printed)
        began = time.monotonic()
        demo.process.send_signal(signal.SIGINT)
        assert demo.process.wait(30) == 0
        assert time.monotonic() - began < 16
        stopped = [line for line in demo.printed.splitlines() if line.endswith("has stopped.")]
        names = [line.split()[0] for line in stopped]
        assert names == services[::-1]
        assert not any(psutil.pid_exists(pid) for pid in processes.values())
    with up(environment) as demo:
        printed = demo.show_report()
        assert f"{environment['NEST_BOOTSTRAP_SERVERS']} is not used" in printed
        environment["NEST_BOOTSTRAP_SERVERS"] = kafka_of(printed)
        second = {
            (row["zip_code"], row["window_start"]): row["count"]
            for row in json.loads(nest("report", "--format", "json", **environment).stdout)
        }
        for row in first:
            assert second[row["zip_code"], row["window_start"]] >= row["count"]
        poll_until(lambda: check_holds(environment), "a check that holds", 120, 2)
        device_id, zip_code = a_camera(environment)
        sent = nest("send", "--device", device_id, timeout=300, **environment)
        assert sent.returncode == 0, sent.stdout + sent.stderr
        (found,) = re.findall(
            rf"Count: zip code {zip_code}, .*: (\S+) seen, (\S+) before", sent.stdout
        )
        now, before = (int(number.replace(",", "")) for number in found)
        assert now > before
        assert f"Archive: row of camera {device_id}: person yes, " in sent.stdout
        os.kill(demo.processes()["Producer"], signal.SIGKILL)
        poll_until(lambda: "Producer is ready again" in demo.printed, "the producer", 30)
        assert "Producer was killed (signal 9)." in demo.printed
