"""What `nest up` does in which order, with nothing started."""

import socket
from pathlib import Path
from types import SimpleNamespace

import pytest
from rich.console import Console

from contract.counts import Counts
from contract.settings import Settings
from demo.commands import up
from demo.stack.ports import LOOPBACK, free_port
from demo.stack.services import Services


def test_the_metrics_take_a_port_that_is_free_when_they_start(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Another demo may have taken the usual one while this one waited for its first report."""
    settings, ports = Settings(state=tmp_path, homes=1, metrics_port=free_port()), []

    def report_while_another_demo_starts(*arguments: object) -> Counts:
        others.bind((LOOPBACK, settings.metrics_port))
        return Counts()

    def stop(*arguments: object) -> None:
        raise KeyboardInterrupt

    kafka = SimpleNamespace(bootstrap_servers="localhost:1")
    monkeypatch.setattr(up, "require_fit_machine", lambda *arguments: None)
    monkeypatch.setattr(up, "Broker", lambda *arguments: kafka)
    for kafkas in ("keep_seed", "ensure_topics"):
        monkeypatch.setattr(up, kafkas, lambda *arguments: None)
    for service in ("producer", "pipeline", "dashboard"):
        monkeypatch.setattr(up, f"{service}_service", lambda here: None)
    monkeypatch.setattr(up, "metrics_service", lambda here: ports.append(here.metrics_port))
    monkeypatch.setattr(Services, "start", lambda services, service: None)
    monkeypatch.setattr(Services, "start_side_by_side", lambda services, several: None)
    monkeypatch.setattr(up, "first_report", report_while_another_demo_starts)
    monkeypatch.setattr(up, "_keep_running", stop)
    with socket.socket() as others:
        up.up(settings, Console(quiet=True))
    (port,) = ports
    assert port != settings.metrics_port
