"""A port that is taken is replaced by a free one."""

import socket
from collections.abc import Callable

import pytest

from contract.settings import Settings
from demo.commands.report import addresses
from demo.stack.dashboard_argv import dashboard_argv
from demo.stack.live_services import dashboard_service, metrics_service, pipeline_service
from demo.stack.ports import EVERY_ADDRESS, free_port, is_free, is_open, web_address
from demo.stack.service import Service


def test_the_wanted_port_is_taken_if_it_is_free_and_a_near_one_otherwise() -> None:
    with socket.socket() as server:
        server.bind(("127.0.0.1", 0))
        server.listen()
        port = server.getsockname()[1]
        assert not is_free(port)
        assert is_open(port)
        assert free_port(port) != port
    assert free_port(port) == port
    assert not is_open(port)


def test_any_port_is_free() -> None:
    assert is_free(free_port())


EVERY = EVERY_ADDRESS[0]
MINE = "127.0.0.2"
"""An address of each Linux machine beside the one that all else listens at."""


@pytest.mark.parametrize("make", [pipeline_service, dashboard_service, metrics_service])
def test_a_service_is_ready_where_it_was_told_to_listen(
    make: Callable[[Settings], Service],
) -> None:
    with socket.create_server((MINE, 0)) as server:
        port = server.getsockname()[1]
        ports = dict.fromkeys(("spark_ui_port", "dashboard_port", "metrics_port"), port)
        assert make(Settings(bind_address=MINE, **ports))._ready()
        assert not make(Settings(**ports))._ready()


def test_a_port_is_taken_at_one_address_and_free_at_another() -> None:
    with socket.create_server((MINE, 0)) as server:
        port = server.getsockname()[1]
        assert is_free(port)
        assert not is_free(port, MINE)
        assert free_port(port, MINE) != port
        assert not is_free(port, EVERY)


def test_a_server_that_listens_everywhere_is_asked_at_this_machine() -> None:
    with socket.create_server((EVERY, 0)) as server:
        assert is_open(server.getsockname()[1], EVERY)


@pytest.mark.parametrize(
    ("address", "shown"),
    [
        ("127.0.0.1", "http://localhost:8501"),
        (EVERY, "http://localhost:8501"),
        ("192.168.1.5", "http://192.168.1.5:8501"),
        ("fd00::5", "http://[fd00::5]:8501"),
    ],
)
def test_a_page_is_shown_with_the_address_at_which_it_is_reached(address: str, shown: str) -> None:
    assert web_address(8501, address) == shown
    assert f"Dashboard  {shown}\n" in addresses(Settings(bind_address=address))


def test_the_dashboard_answers_for_the_address_it_listens_at_and_not_for_every_address() -> None:
    def answered(address: str) -> list[str]:
        command = dashboard_argv(Settings(bind_address=address), 8501)
        return [word.split("=")[1] for word in command if "allowedHosts" in word]

    assert answered("192.168.1.5") == ["localhost", "127.0.0.1", "192.168.1.5"]
    assert answered(EVERY) == ["localhost", "127.0.0.1"]
