"""Services are started when ready, told apart when they die, and stopped by their own id."""

import os
import signal
import stat
import sys
import time
from pathlib import Path

import psutil
import pytest

from contract.errors import UserError
from contract.polling import poll_until
from contract.settings import Settings
from demo.stack.held_services import HeldServices
from demo.stack.service import Service
from demo.stack.services import Services, stop_in_reverse

# Says in a file that it was told to stop, and ends.
OBEDIENT = """
import pathlib, signal, sys, time
name, folder = sys.argv[1], pathlib.Path(sys.argv[2])
def stop(*_):
    with (folder / "stopped").open("a") as lines:
        lines.write(name + "\\n")
    sys.exit(0)
signal.signal(signal.SIGTERM, stop)
(folder / name).touch()
while True:
    time.sleep(0.05)
"""

STUBBORN = OBEDIENT.replace("sys.exit(0)", "pass")

# Keeps a child as the pipeline keeps its JVM, and reports whether it outlived the signal.
PARENT = """
import pathlib, signal, subprocess, sys, time
name, folder = sys.argv[1], pathlib.Path(sys.argv[2])
child = subprocess.Popen(["sleep", "60"])
def stop(*_):
    time.sleep(0.3)
    (folder / "child").write_text(f"{child.pid} {child.poll()}")
    sys.exit(0)
signal.signal(signal.SIGTERM, stop)
(folder / name).touch()
while True:
    time.sleep(0.05)
"""


# Ends by itself as soon as a file is there, and gets ready only before.
ENDING = """
import pathlib, sys, time
name, folder = sys.argv[1], pathlib.Path(sys.argv[2])
if not (folder / "end").exists():
    (folder / name).touch()
while not (folder / "end").exists():
    time.sleep(0.05)
print("no such world", flush=True)
sys.exit(3)
"""


def service(script: str, name: str, folder: Path, **options: float) -> Service:
    return Service(
        name,
        [sys.executable, "-c", script, name, str(folder)],
        log=folder / f"{name}.log",
        ready=(folder / name).exists,
        **options,
    )


def new_services() -> Services:
    return Services(report=lambda line: None, on_spawn=lambda name, pid: None)


def test_services_stop_in_the_opposite_order(tmp_path: Path) -> None:
    services = new_services()
    for name in ("broker", "producer", "pipeline"):
        services.start(service(OBEDIENT, name, tmp_path))
    services.stop()
    assert (tmp_path / "stopped").read_text().split() == ["pipeline", "producer", "broker"]


def test_services_side_by_side_wait_for_no_other(tmp_path: Path) -> None:
    told: list[str] = []
    services = new_services()
    services.report = told.append
    needs_the_other = (
        "import pathlib, sys, time\n"
        "while not (pathlib.Path(sys.argv[2]) / 'dashboard').exists(): time.sleep(0.05)\n"
    )
    services.start_side_by_side(
        [
            service(needs_the_other + OBEDIENT, "pipeline", tmp_path),
            service(OBEDIENT, "dashboard", tmp_path),
        ]
    )
    services.stop()
    assert [line.split(" (")[0] for line in told] == [
        "pipeline is ready",
        "dashboard is ready",
        "dashboard has stopped.",
        "pipeline has stopped.",
    ]


def test_a_service_whose_start_is_cut_short_stops_by_itself(tmp_path: Path) -> None:
    def ready_when_interrupted() -> bool:
        if (tmp_path / "demo").exists():
            raise KeyboardInterrupt
        return False

    starting = Service(
        "demo",
        [sys.executable, "-c", OBEDIENT, "demo", str(tmp_path)],
        log=tmp_path / "demo.log",
        ready=ready_when_interrupted,
    )
    with pytest.raises(KeyboardInterrupt), starting:
        pass
    assert (tmp_path / "stopped").read_text().split() == ["demo"]


def test_a_service_that_does_not_get_ready_stops_by_itself(tmp_path: Path) -> None:
    obedient = [sys.executable, "-c", OBEDIENT, "demo", str(tmp_path)]
    log = tmp_path / "demo.log"
    starting = Service("demo", obedient, log=log, ready=lambda: False, start_timeout=5)
    with pytest.raises(UserError, match="demo was not ready within 5 s"):
        starting.start()
    assert (tmp_path / "stopped").read_text().split() == ["demo"]


def test_one_of_several_that_does_not_start_is_named(tmp_path: Path) -> None:
    services = new_services()
    with pytest.raises(UserError, match=r"(?s)pipeline ended with exit code 3.*no such world"):
        services.start_side_by_side(
            [
                service(OBEDIENT, "producer", tmp_path),
                service("import sys; print('no such world'); sys.exit(3)", "pipeline", tmp_path),
            ]
        )
    assert services.started[0].running()
    services.stop()
    assert not any(each.running() for each in services.started)


def test_kafka_may_be_killed_while_others_start_side_by_side(tmp_path: Path) -> None:
    told: list[str] = []
    services = new_services()
    services.report = told.append
    services.start(service(OBEDIENT, "broker", tmp_path))
    broker = services.started[0]
    before = broker.pid
    (tmp_path / "broker").unlink()  # what it makes when it is ready
    os.kill(before, signal.SIGKILL)
    poll_until(lambda: not broker.running(), "the death", 5)
    ends_once = (
        "import pathlib, sys\n"
        "tried = pathlib.Path(sys.argv[2]) / 'tried'\n"
        "if not tried.exists(): tried.touch(); sys.exit(3)\n"
    )
    services.start_side_by_side(
        [
            service(ends_once + OBEDIENT, "producer", tmp_path),
            service(OBEDIENT, "dashboard", tmp_path),
        ]
    )
    assert all(each.running() for each in services.started)
    assert broker.pid != before
    services.stop()
    assert "broker was killed (signal 9)." in told
    assert "producer has ended while broker was away, and is started after it." in told
    assert sum(line.startswith("producer is ready") for line in told) == 1


def test_only_the_service_itself_is_signalled_and_what_it_leaves_is_removed(tmp_path: Path) -> None:
    started = service(PARENT, "pipeline", tmp_path).start()
    started.stop()
    child, exit_code = (tmp_path / "child").read_text().split()
    assert exit_code == "None"
    poll_until(lambda: not psutil.pid_exists(int(child)), "the end of the child", 5)


def test_a_service_that_does_not_stop_is_killed_after_its_time(tmp_path: Path) -> None:
    stubborn = service(STUBBORN, "pipeline", tmp_path, stop_timeout=0.5).start()
    pid, began = stubborn.pid, time.monotonic()
    stubborn.stop()
    assert 0.5 <= time.monotonic() - began < 3
    assert not psutil.pid_exists(pid)


def test_all_stop_within_the_time_and_the_broker_still_gets_its_own(tmp_path: Path) -> None:
    running = [
        service(script, name, tmp_path, stop_timeout=10).start()
        for name, script in [("broker", OBEDIENT), ("pipeline", STUBBORN), ("page", STUBBORN)]
    ]
    began = time.monotonic()
    assert [each.name for each in stop_in_reverse(running, within=4)] == [
        "page",
        "pipeline",
        "broker",
    ]
    assert time.monotonic() - began < 6
    assert "broker" in (tmp_path / "stopped").read_text().split()


def test_a_service_that_ends_before_it_is_ready_is_named_with_the_end_of_its_log(
    tmp_path: Path,
) -> None:
    with pytest.raises(UserError, match=r"(?s)producer ended with exit code 3.*no such world"):
        service("import sys; print('no such world'); sys.exit(3)", "producer", tmp_path).start()


def test_a_service_that_ends_well_but_early_is_named_too(tmp_path: Path) -> None:
    with pytest.raises(UserError, match="producer ended with exit code 0"):
        service("pass", "producer", tmp_path).start()


def test_a_service_that_never_gets_ready_is_named_and_gone(tmp_path: Path) -> None:
    late = service("import time; time.sleep(60)", "producer", tmp_path, start_timeout=0.5)
    with pytest.raises(UserError, match=r"producer was not ready within 0\.5 s"):
        late.start()
    assert not late.running()


def test_a_service_that_ends_by_itself_is_named_with_the_end_of_its_log(tmp_path: Path) -> None:
    services = new_services()
    services.start(service(ENDING, "producer", tmp_path))
    services.keep_running()
    (tmp_path / "end").touch()
    poll_until(lambda: not services.started[0].running(), "the end", 5)
    with pytest.raises(UserError, match=r"(?s)producer ended with exit code 3.*no such world"):
        services.keep_running()
    services.stop()


def test_a_service_that_was_killed_is_started_again_and_the_user_is_told(tmp_path: Path) -> None:
    told: list[str] = []
    services = Services(told.append, on_spawn=lambda name, pid: None)
    services.start(service(OBEDIENT, "producer", tmp_path))
    before = services.started[0].pid
    os.kill(before, signal.SIGKILL)
    poll_until(lambda: not services.started[0].running(), "the death", 5)
    services.keep_running()
    assert services.started[0].running()
    assert services.started[0].pid != before
    assert "producer was killed (signal 9)." in told
    services.stop()


@pytest.mark.parametrize(("exit_code", "killed_by"), [(137, 9), (134, 6), (143, None), (3, None)])
def test_a_service_says_by_its_exit_code_that_its_own_child_was_killed(
    tmp_path: Path, exit_code: int, killed_by: int | None
) -> None:
    ended = Service("pipeline", ["sh", "-c", f"exit {exit_code}"], log=tmp_path / "pipeline.log")
    ended.spawn()
    poll_until(lambda: not ended.running(), "the end", 5)
    assert ended.killed_by() == killed_by


def test_a_service_that_is_killed_while_it_starts_is_started_again(tmp_path: Path) -> None:
    told: list[str] = []
    services = Services(told.append, on_spawn=lambda name, pid: None)
    services.start(service(OBEDIENT, "producer", tmp_path))
    producer = services.started[0]
    (tmp_path / "producer").unlink()  # what it makes when it is ready
    killed = []

    def kill_once(name: str, pid: int) -> None:
        if not killed:
            killed.append(pid)
            os.kill(pid, signal.SIGKILL)

    producer.on_spawn = kill_once
    os.kill(producer.pid, signal.SIGKILL)
    poll_until(lambda: not producer.running(), "the death", 5)
    services.keep_running()
    assert producer.running()
    assert "producer was killed while it started, and is started again." in told
    services.stop()


def test_a_service_that_ends_each_time_it_is_started_again_ends_all(tmp_path: Path) -> None:
    told: list[str] = []
    services = Services(told.append, on_spawn=lambda name, pid: None)
    services.start(service(ENDING, "producer", tmp_path))
    os.kill(services.started[0].pid, signal.SIGKILL)
    poll_until(lambda: not services.started[0].running(), "the death", 5)
    (tmp_path / "producer").unlink()  # what it makes when it is ready
    (tmp_path / "end").touch()
    with pytest.raises(UserError, match=r"(?s)producer ended with exit code 3.*no such world"):
        services.keep_running()
    assert told.count("producer did not get ready, and is started again.") == 4
    services.stop()


def test_a_service_that_ends_while_one_before_it_is_away_is_started_after_it(
    tmp_path: Path,
) -> None:
    told: list[str] = []
    holds = HeldServices(Settings(state=tmp_path))
    services = Services(told.append, lambda name, pid: None, holds.held)
    services.start(service(OBEDIENT, "broker", tmp_path))
    services.start(service(ENDING, "pipeline", tmp_path))
    broker, pipeline = services.started
    with holds.holding("broker"):
        services.keep_running()
        (tmp_path / "end").touch()
        poll_until(lambda: not pipeline.running(), "the end", 5)
        services.keep_running()
        services.keep_running()
        assert not pipeline.running()
    (tmp_path / "end").unlink()
    services.keep_running()
    assert broker.running()
    assert pipeline.running()
    assert told.count("pipeline has ended while broker was away, and is started after it.") == 1
    services.stop()


def test_a_service_is_stopped_while_it_is_held_and_started_when_it_is_let_go(
    tmp_path: Path,
) -> None:
    holds = HeldServices(Settings(state=tmp_path))
    services = Services(lambda line: None, lambda name, pid: None, holds.held)
    for name in ("broker", "pipeline"):
        services.start(service(OBEDIENT, name, tmp_path))
    broker, pipeline = services.started
    with holds.holding("pipeline"):
        services.keep_running()
        services.keep_running()
        assert (broker.running(), pipeline.running()) == (True, False)
    services.keep_running()
    assert pipeline.running()
    services.stop()


def test_a_hold_ends_with_the_process_that_made_it(tmp_path: Path) -> None:
    script = """
import sys, time
from pathlib import Path
from contract.settings import Settings
from demo.stack.held_services import HeldServices
with HeldServices(Settings(state=Path(sys.argv[2]))).holding("pipeline"):
    (Path(sys.argv[2]) / sys.argv[1]).touch()
    time.sleep(60)
"""
    holder = service(script, "drill", tmp_path).start()
    holds = HeldServices(Settings(state=tmp_path))
    assert holds.held() == {"pipeline"}
    os.kill(holder.pid, signal.SIGKILL)
    poll_until(lambda: not holder.running(), "the death", 5)
    assert holds.held() == set()


def test_the_log_of_the_run_before_is_kept(tmp_path: Path) -> None:
    for word in ("first", "second"):
        with pytest.raises(UserError):
            service(f"print('{word}')", "producer", tmp_path).start()
    assert (tmp_path / "producer.1.log").read_text() == "first\n"
    assert stat.S_IMODE((tmp_path / "producer.log").stat().st_mode) == 0o600
    assert (tmp_path / "producer.log").read_text() == "second\n"
