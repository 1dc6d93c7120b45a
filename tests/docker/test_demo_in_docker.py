"""`docker compose up` as its user types it, on a real engine: built, examined, broken, checked."""

import json
import re
import urllib.request
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, expect

from contract.polling import poll_until
from tests.docker.compose import ROOMS, Demo, docker

pytestmark = [pytest.mark.docker, pytest.mark.timeout(1500)]

MB = 1 << 20
PYTHON_IMAGE = 125_000_000
"""The unpacked size of the published python:3.12-slim-bookworm."""


@pytest.fixture(scope="module")
def demo() -> Iterator[Demo]:
    """The demo, built and up; removed with its volumes after the last test."""
    demo = Demo()
    with demo.running("monitoring"):
        yield demo


def check_holds(demo: Demo) -> None:
    """Run the check; the run fails with its table if it does not hold."""
    assert "The check holds" in demo.nest("check")


def test_the_configuration_gives_no_warning() -> None:
    assert Demo().compose("config", "--quiet").stderr == ""
    assert Demo().compose("--profile", "monitoring", "config", "--quiet").stderr == ""


def test_up_has_waited_for_the_first_report(demo: Demo) -> None:
    assert demo.report()


def test_the_terminal_shows_the_report_and_the_addresses_and_little_of_kafka(demo: Demo) -> None:
    def terminal(*services: str) -> str:
        return demo.compose("logs", "--no-log-prefix", *services).stdout

    address = f"Dashboard  http://localhost:{demo.dashboard}"
    poll_until(lambda: address in terminal("dashboard"), "the report in the terminal", 60)
    assert "More than" in terminal("dashboard")
    assert "`docker compose run --rm nest check` proves the numbers" in terminal("dashboard")
    assert len(terminal("kafka").splitlines()) < 50


def test_the_check_and_the_doctor_run_in_an_image_without_spark(demo: Demo) -> None:
    check_holds(demo)
    found = demo.nest("doctor")
    assert "the topics at kafka:19092" in " ".join(found.split())
    assert "Java" not in found


def test_metrics_come_from_a_container_of_their_own_and_know_the_last_check(demo: Demo) -> None:
    check_holds(demo)
    demo.compose("up", "--detach", "--wait", "--wait-timeout", "300", "metrics")

    def scrape() -> str:
        with urllib.request.urlopen(f"http://127.0.0.1:{demo.metrics}/metrics", timeout=10) as page:
            return str(page.read().decode())

    try:
        poll_until(lambda: "nest_pipeline_up 1.0" in scrape(), "the metrics of the pipeline", 60)
        assert "nest_check_holds 1.0" in scrape()
        assert "nest_lake_up 1.0" in scrape()
        container = demo.compose("ps", "--quiet", "metrics").stdout.strip()
        (found,) = json.loads(docker("inspect", container))
        host = found["HostConfig"]
        assert (host["CapDrop"], host["ReadonlyRootfs"], host["PidsLimit"]) == (["ALL"], True, 64)
    finally:
        demo.compose("rm", "--stop", "--force", "metrics")


def test_a_person_opens_the_page(demo: Demo, chromium: Browser) -> None:
    page = chromium.new_page()
    page.goto(f"http://localhost:{demo.dashboard}")
    seen = page.get_by_test_id("stMetric").first.get_by_test_id("stMetricValue")
    expect(seen).to_have_text(re.compile(r"[1-9]"), timeout=60_000)


@pytest.mark.parametrize(
    ("image", "without"),
    [
        ("producer", ("pyspark", "streamlit", "deltalake", "pyarrow")),
        ("nest", ("pyspark", "streamlit", "faker")),
        ("dashboard", ("pyspark", "faker")),
        ("metrics", ("pyspark", "faker", "streamlit")),
        ("pipeline", ("streamlit", "faker")),
    ],
)
def test_an_image_holds_what_its_room_needs_and_no_more(
    demo: Demo, image: str, without: tuple[str, ...]
) -> None:
    inside = docker(
        *("run", "--rm", "--network", "none", "--entrypoint", "sh", f"nest-cameras-{image}", "-c"),
        "id -u; command -v java gcc; pip list --format freeze; ls /opt/nest/jars/spark; true",
    )
    lines = inside.splitlines()
    assert lines[0] != "0"
    packages = {line.split("==")[0].lower() for line in lines if "==" in line}
    assert "kafka-python" in packages
    assert not packages & set(without)
    assert not packages & {"pytest", "mypy", "uv"}
    assert any(line.endswith("/java") for line in lines) == (image == "pipeline")
    assert any(line.endswith(".jar") for line in lines) == (image == "pipeline")


@pytest.mark.parametrize(("image", "megabytes"), [("pipeline", 1000), ("dashboard", 700)])
def test_an_image_stays_small(demo: Demo, image: str, megabytes: int) -> None:
    printed = docker(
        *("history", "--no-trunc", "--human=false", "--format", "{{.Size}} {{.CreatedBy}}"),
        f"nest-cameras-{image}",
    )
    layers = printed.splitlines()  # from the newest to the oldest
    (first,) = (number for number, layer in enumerate(layers) if "useradd" in layer)
    # The base image may be another one, such as one with a proxy's certificate.
    ours = sum(int(layer.split()[0]) for layer in layers[: first + 1])
    assert PYTHON_IMAGE + ours < megabytes * 1_000_000


def test_containers_are_confined_and_stay_under_four_gigabytes(demo: Demo) -> None:
    containers = demo.containers()
    assert set(containers) == {"kafka", *ROOMS}
    limits = 0
    for service, container in containers.items():
        host = container["HostConfig"]
        assert host["CapDrop"] == ["ALL"]
        assert host["SecurityOpt"] == ["no-new-privileges:true"]
        assert host["Memory"] == host["MemorySwap"] > 0
        assert host["ReadonlyRootfs"] == (service in ROOMS)
        assert container["Config"]["User"] not in ("", "root", "0")
        for bindings in host["PortBindings"].values():
            assert {each["HostIp"] for each in bindings} == {"127.0.0.1"}
        limits += host["Memory"]
    assert limits < 4096 * MB


@pytest.mark.parametrize("service", ["kafka", *ROOMS])
def test_the_rest_survives_the_restart_of_one(demo: Demo, service: str) -> None:
    before = {name: each["Id"] for name, each in demo.containers().items()}
    demo.compose("restart", service)
    demo.up()
    assert {name: each["Id"] for name, each in demo.containers().items()} == before
    check_holds(demo)


def test_a_killed_pipeline_starts_again_and_nothing_is_lost_or_counted_twice(demo: Demo) -> None:
    before = demo.report()
    starts = len(demo.compose("logs", "pipeline").stdout.split("Spark UI"))
    demo.compose("kill", "pipeline")
    demo.up()

    def both_queries_go_on() -> bool:
        _, *printed = demo.compose("logs", "pipeline").stdout.split("Spark UI")[starts - 1 :]
        return bool(printed) and "stats " in printed[-1] and "archive " in printed[-1]

    poll_until(both_queries_go_on, "a batch of each query", 120, 2)
    after = demo.report()
    assert all(after[row] >= count for row, count in before.items())
    check_holds(demo)


def test_the_counts_are_rebuilt_by_the_commands_of_the_troubleshooting_page(demo: Demo) -> None:
    before = demo.report()
    demo.compose("stop", "pipeline")
    demo.compose("run", "--rm", "--no-TTY", "pipeline", "pipeline", "--rebuild-counts")
    assert demo.report() == {}
    demo.compose("start", "pipeline")
    demo.up()
    after = demo.report()
    assert all(after[row] >= count for row, count in before.items())
    check_holds(demo)


@pytest.mark.parametrize(
    "name", ["kill-kafka-and-pipeline", "kill-spark", "torn-offsets", "poison"]
)
def test_a_drill_ends_with_a_check_that_holds(demo: Demo, name: str) -> None:
    printed = demo.compose("run", "--rm", "--no-TTY", "drill", name).stdout
    assert "The check holds" in printed
    assert "Shown: " in printed
    demo.up()


def test_a_notebook_runs_in_the_container_of_the_labs(demo: Demo) -> None:
    demo.compose("build", "labs")
    printed = demo.compose(
        *("run", "--rm", "--no-TTY", "labs", "jupyter", "execute"),
        "notebooks/01_follow_one_message.ipynb",
    )
    assert "Traceback" not in printed.stderr


def test_the_address_of_the_labs_opens_in_a_browser(demo: Demo, chromium: Browser) -> None:
    demo.compose("up", "--detach", "labs")
    try:
        address = re.compile(r"http://localhost:\d+/lab/tree/notebooks\?token=\w+")
        found = poll_until(
            lambda: address.search(demo.compose("logs", "labs").stdout), "the address", 60, 1
        )
        page = chromium.new_page()
        page.goto(found.group())
        expect(page.get_by_text("01_follow_one_message.ipynb")).to_be_visible(timeout=60_000)
    finally:
        demo.compose("rm", "--stop", "--force", "labs")


def test_down_keeps_the_data_and_the_next_up_goes_on(demo: Demo) -> None:
    before = demo.report()
    demo.compose("down")
    demo.up()
    after = demo.report()
    assert all(after[row] >= count for row, count in before.items())
    check_holds(demo)
