"""The lake's tables as the commands name them; read without a JVM."""

from deltalake import DeltaTable
from deltalake.exceptions import DeltaError

from contract import lake
from contract.delta_tables import open_delta_table
from contract.errors import UserError
from contract.require_object_store import require_object_store
from contract.settings import Settings

_REASON_CHARACTERS = 300


def open_table(settings: Settings, name: str) -> DeltaTable:
    """Open a table; UserError for an unknown name, and where there is none that can be read."""
    if name not in lake.TABLES:
        raise UserError(f"There is no table {name!r}. The tables are {', '.join(lake.TABLES)}.")
    require_object_store(settings)
    uri = lake.table_location(settings.lake, name)
    where = lake.absolute_location(settings.lake)
    try:
        table = open_delta_table(uri)
    except (DeltaError, OSError) as error:
        raise UserError(
            f"The table {name} in {where} cannot be read: {reason_of(error)}. NEST_LAKE says where "
            "the tables are."
        ) from None
    if table is None:
        raise UserError(
            f"There is no table {name} in {where} (NEST_LAKE) yet. `nest pipeline` creates the "
            "tables."
        )
    return table


def reason_of(error: Exception) -> str:
    """Return an error as a short phrase on one line."""
    return " ".join(str(error).split())[:_REASON_CHARACTERS].rstrip(".")
