"""The `nest` commands that the live demo runs as services."""

from pathlib import Path

from contract.kafka.acls import DASHBOARD, PIPELINE, PRODUCER
from contract.settings import Settings
from demo.stack.dashboard_argv import dashboard_argv
from demo.stack.environment import environment
from demo.stack.nest_argv import nest_argv
from demo.stack.ports import is_open
from demo.stack.security.credentials import as_user
from demo.stack.service import START_TIMEOUT_S, Service
from producer.live_run import READY_TEXT

_START_PER_HOME_S = 0.005
"""What the producer takes to build a home on a busy machine, a few times over."""


def producer_service(settings: Settings) -> Service:
    """Return the producer; it is ready when it says where it begins.

    Its first message may be long after that: a few homes send nothing for minutes.
    """
    log = _log(settings, "producer")
    return Service(
        "Producer",
        nest_argv("produce"),
        log=log,
        environment=environment(as_user(settings, PRODUCER)),
        ready=lambda: READY_TEXT in log.read_text(errors="replace"),
        start_timeout=START_TIMEOUT_S + _START_PER_HOME_S * settings.homes,
        stop_timeout=4,
    )


def pipeline_service(settings: Settings) -> Service:
    """Return the pipeline; it is ready when Spark is up and its UI answers."""
    return Service(
        "Pipeline",
        nest_argv("pipeline"),
        log=_log(settings, "pipeline"),
        environment=environment(as_user(settings, PIPELINE)),
        ready=lambda: is_open(settings.spark_ui_port, settings.bind_address),
        stop_timeout=12,  # a running batch may take 8
    )


def dashboard_service(settings: Settings) -> Service:
    """Return the dashboard; it is ready when its page answers."""
    return Service(
        "Dashboard",
        dashboard_argv(settings, settings.dashboard_port),
        log=_log(settings, "dashboard"),
        environment=environment(as_user(settings, DASHBOARD)),
        ready=lambda: is_open(settings.dashboard_port, settings.bind_address),
        stop_timeout=2,
    )


def metrics_service(settings: Settings) -> Service:
    """Return what Prometheus scrapes; it is ready when it listens."""
    return Service(
        "Metrics",
        nest_argv("metrics"),
        log=_log(settings, "metrics"),
        environment=environment(as_user(settings, DASHBOARD)),  # it reads the same
        ready=lambda: is_open(settings.metrics_port, settings.bind_address),
        stop_timeout=2,
    )


def _log(settings: Settings, name: str) -> Path:
    return settings.state / "logs" / f"{name}.log"
