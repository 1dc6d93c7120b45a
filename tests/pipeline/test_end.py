"""However the pipeline ends, it ends soon and without a traceback, and the next start is exact."""

import os
import signal
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import psutil
import pytest

from check import run_check
from contract.polling import poll_until
from contract.progress import newest_progress
from contract.settings import Settings, load_settings
from demo.stack.environment import environment
from producer.produce import produce
from tests.fixtures.nest_command import nest_process
from tests.pipeline.queries.runs import run_to_end

pytestmark = [pytest.mark.kafka, pytest.mark.spark]


class RunningPipeline:
    """A `nest pipeline` in a process group of its own, and what it has printed."""

    def __init__(self, process: "subprocess.Popen[bytes]", output: Path) -> None:
        self.process, self._output = process, output

    @property
    def printed(self) -> str:
        return self._output.read_text()

    def child(self, word: str) -> psutil.Process:
        """Wait for a process that it has started, by a word of its command line."""

        def find() -> list[psutil.Process]:
            assert self.process.poll() is None, self.printed
            children = psutil.Process(self.process.pid).children(recursive=True)
            return [each for each in children if word in _command_line(each)]

        return poll_until(find, f"the process {word}", 300)[0]


def _command_line(process: psutil.Process) -> str:
    try:
        return " ".join(process.cmdline())
    except psutil.Error:  # it has just ended
        return ""


@contextmanager
def pipeline(settings: Settings, output: Path, *options: str) -> Iterator[RunningPipeline]:
    with_jars = {**environment(settings), "NEST_STATE": str(load_settings().state.resolve())}
    with nest_process("pipeline", *options, log=output, **with_jars) as process:
        yield RunningPipeline(process, output)


@pytest.fixture
def settings(fresh_topics: str, tmp_path: Path) -> Settings:
    """A lake of its own, and 300 messages to read."""
    settings = Settings(
        bootstrap_servers=fresh_topics,
        lake=str(tmp_path / "lake"),
        checkpoints=str(tmp_path / "checkpoints"),
        spark_ui_port=0,
        seed=7,
        homes=20,
        device_locations=str(tmp_path / "locations.csv"),
    )
    Path(settings.device_locations).write_text("device_id,zip_code\n")
    produce(settings, messages=300)
    return settings


def test_a_batch_that_hangs_is_cut_off_and_run_again_at_the_next_start(
    settings: Settings, tmp_path: Path, request: pytest.FixtureRequest
) -> None:
    with pipeline(settings, tmp_path / "first") as running:
        daemon = running.child("python_daemon pyspark.worker")  # a task has asked for it
        daemon.suspend()
        workers = [daemon, *daemon.children()]
        for worker in workers:
            worker.suspend()
        try:
            poll_until(lambda: "Spark UI" in running.printed, "the start", 300)
            os.killpg(running.process.pid, signal.SIGTERM)
            assert running.process.wait(60) == 0, running.printed
        finally:
            for worker in workers:
                with suppress(psutil.NoSuchProcess):
                    worker.kill()
        assert running.printed.splitlines()[1:] == [
            "A batch was cut off: it took too long to stop. The next start runs it again."
        ]
    latest = newest_progress(settings.kafka)
    assert {(each.state, each.reason) for each in latest.values()} == {("stopped", None)}
    # Spark starts here: beside that of the process it would take too much memory.
    run_to_end(request.getfixturevalue("spark"), settings, queries=None)
    verdict = run_check(settings, must_be_complete=True)
    assert verdict.holds, [each for each in verdict.comparisons if not each.holds]


def test_the_end_of_the_jvm_is_one_sentence(settings: Settings, tmp_path: Path) -> None:
    with pipeline(settings, tmp_path / "output") as running:
        java = running.child("org.apache.spark.deploy.SparkSubmit")
        poll_until(lambda: "Spark UI" in running.printed, "the start", 300)
        poll_until(lambda: "archive" in running.printed, "a batch with its counters", 300)
        java.terminate()  # it leaves SIGTERM to the Python process
        java.kill()
        assert running.process.wait(60) == 128 + signal.SIGKILL
        assert running.printed.count("Spark's Java process was killed (signal 9)") == 1
        assert "NEST_SPARK_MEMORY" in running.printed
        assert "Traceback" not in running.printed
