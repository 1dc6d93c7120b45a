"""TCP ports of this machine, by default on the loopback interface."""

import socket

from contract.errors import UserError

LOOPBACK = "127.0.0.1"
KAFKA_PORT = 9092
_TRIES = 20
EVERY_ADDRESS = ("0.0.0.0", "::")  # noqa: S104 - only compared with
"""What a server is told that is to listen at each address of its machine."""


def is_free(port: int, address: str = LOOPBACK) -> bool:
    """Tell whether nothing listens on the port of an address."""
    with _new_socket(address) as probe:
        # As servers do: a port whose last connections are only waiting to time out is free.
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((address, port))
        except OSError:
            return False
        return True


def is_open(port: int, address: str = LOOPBACK) -> bool:
    """Tell whether a server that listens at an address accepts connections on the port."""
    host = LOOPBACK if address in EVERY_ADDRESS else address
    try:
        socket.create_connection((host, port), timeout=1).close()
    except OSError:
        return False
    return True


def web_address(port: int, address: str) -> str:
    """Return what a browser on this machine is given for a server that listens at an address."""
    host = "localhost" if address in (LOOPBACK, *EVERY_ADDRESS) else address
    return f"http://[{host}]:{port}" if ":" in host else f"http://{host}:{port}"


def free_port(wanted: int = 0, address: str = LOOPBACK) -> int:
    """Return the wanted port if it is free at an address, else one a little above it, else any.

    For 0, any.
    """
    for port in range(wanted, wanted + _TRIES if wanted else wanted):
        if port < 65536 and is_free(port, address):
            return port
    with _new_socket(address) as probe:
        probe.bind((address, 0))
        return int(probe.getsockname()[1])


def _new_socket(address: str) -> socket.socket:
    return socket.socket(socket.AF_INET6 if ":" in address else socket.AF_INET)


def require_own_address(address: str) -> None:
    """Raise UserError if nothing on this machine can listen at NEST_BIND_ADDRESS."""
    try:
        for family, kind, protocol, _, where in socket.getaddrinfo(
            address, 0, type=socket.SOCK_STREAM
        ):
            with socket.socket(family, kind, protocol) as probe:
                probe.bind(where)
                return
    except (OSError, UnicodeError):
        pass
    raise UserError(
        f"NEST_BIND_ADDRESS={address} is no address of this machine: write for example 127.0.0.1, "
        "or 0.0.0.0 for all that it has."
    )
