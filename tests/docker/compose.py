"""A Compose project of the demo's own file, under another name and on free ports."""

import json
import os
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from demo.stack.ports import free_port

ROOT = Path(__file__).parents[2]
PROJECT = "nest-tests"
ROOMS = ("producer", "pipeline", "dashboard")
"""The services that run an image of ours."""


def docker(*arguments: str) -> str:
    """Run docker and return what it printed; what went wrong is the error's text."""
    return run("docker", *arguments).stdout


def run(*command: str, **environment: str) -> subprocess.CompletedProcess[str]:
    done = subprocess.run(
        command,
        cwd=ROOT,
        env={**os.environ, **environment},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, f"{' '.join(command)}\n{done.stdout}\n{done.stderr}"
    return done


@dataclass(frozen=True)
class Demo:
    """The demo in Docker, with a world small enough to be quick."""

    project: str = PROJECT
    files: tuple[str, ...] = ("docker-compose.yml",)

    dashboard: int = field(default_factory=free_port)
    spark_ui: int = field(default_factory=free_port)
    kafka: int = field(default_factory=free_port)
    labs: int = field(default_factory=free_port)
    metrics: int = field(default_factory=free_port)
    others: tuple[int, ...] = field(default_factory=lambda: tuple(free_port() for _ in range(3)))
    """Of the cluster: of two more brokers, and of the page of Spark's master."""

    def compose(self, *arguments: str) -> subprocess.CompletedProcess[str]:
        return run(
            "docker",
            "compose",
            "--project-name",
            self.project,
            *(word for file in self.files for word in ("--file", file)),
            *arguments,
            DASHBOARD_PORT=str(self.dashboard),
            SPARK_UI_PORT=str(self.spark_ui),
            KAFKA_PORT=str(self.kafka),
            LABS_PORT=str(self.labs),
            METRICS_PORT=str(self.metrics),
            KAFKA_2_PORT=str(self.others[0]),
            KAFKA_3_PORT=str(self.others[1]),
            SPARK_MASTER_PORT=str(self.others[2]),
            NEST_HOMES="60",
            NEST_HISTORY="6 hours",
            NEST_THRESHOLD="10",
            COLUMNS="120",
        )

    @contextmanager
    def running(self, *profiles: str) -> Iterator[None]:
        """Build the demo with the command's image and start it; remove it and its volumes after.

        ``profiles`` are those whose images are built, too. The ends of all logs are printed, for a
        test that failed.
        """
        named = [word for name in ("tools", *profiles) for word in ("--profile", name)]
        self.compose(*named, "build")
        try:
            self.up()
            yield
        finally:
            try:
                print(self.compose("logs", "--tail", "50").stdout)  # noqa: T201
            finally:
                self.compose(*named, "down", "--volumes")

    def up(self) -> None:
        """Bring everything up; returns when the first report can be read."""
        self.compose("up", "--detach", "--wait", "--wait-timeout", "300")

    def nest(self, *arguments: str) -> str:
        """Run a command of the `nest` service against the running demo."""
        return self.compose("run", "--rm", "--no-TTY", "nest", *arguments).stdout

    def report(self) -> dict[tuple[str, str], int]:
        """Return the counts above the threshold by zip code and hour."""
        rows = json.loads(self.nest("report", "--format", "json"))
        return {(row["zip_code"], row["window_start"]): row["count"] for row in rows}

    def containers(self) -> dict[str, Any]:
        """Return what Docker knows of the running containers, by service."""
        ids = self.compose("ps", "--quiet").stdout.split()
        found = json.loads(docker("inspect", *ids))
        return {each["Config"]["Labels"]["com.docker.compose.service"]: each for each in found}
