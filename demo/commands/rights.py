"""`nest rights`: which Kafka user may do what."""

from rich.table import Table

from contract.kafka.acls import RIGHTS


def rights_table() -> Table:
    """Return each user's rights, a line for each topic or group."""
    table = Table("user", "may", "on", box=None, pad_edge=False)
    for user, rights in RIGHTS.items():
        for right in rights:
            name = f"{right.name}*" if right.is_prefix else right.name
            table.add_row(user, ", ".join(right.operations), f"{right.kind} {name}")
    return table
