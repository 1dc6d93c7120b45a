"""What `nest up` does in which order, with nothing started."""

import socket
from pathlib import Path
from types import SimpleNamespace

import pytest
from rich.console import Console

from contract.counts import Counts
from contract.errors import UserError
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


def test_a_wrong_address_is_said_before_its_ports_are_examined(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(up, "require_fit_machine", lambda *arguments: pytest.fail("examined"))
    settings = Settings(state=tmp_path, bind_address="192.0.2.1")
    with pytest.raises(UserError, match="is no address of this machine"):
        up.up(settings, Console(quiet=True))
