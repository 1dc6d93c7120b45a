"""A port that is taken is replaced by a free one."""

import socket

from demo.stack.ports import free_port, is_free, is_open


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
