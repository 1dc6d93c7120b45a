"""Whether the master of a Spark cluster answers: Spark itself tries for a minute."""

import socket

from contract.errors import UserError

_TIMEOUT_S = 5.0


def require_spark_master(master: str) -> None:
    """Raise UserError unless one of the masters in ``spark://host:port,host:port`` answers."""
    addresses = master.removeprefix("spark://").split(",")
    if any(_answers(address) for address in addresses):
        return
    raise UserError(
        f"No Spark master answers at NEST_SPARK_MASTER={master}. Start it, or set another one; "
        "`local[*]` is this machine alone."
    )


def _answers(address: str) -> bool:
    host, _, port = address.rpartition(":")
    try:
        socket.create_connection((host.strip("[]"), int(port)), _TIMEOUT_S).close()
    except (OSError, ValueError, OverflowError):
        return False
    return True
