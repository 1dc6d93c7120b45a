"""The lake's tables as the commands name them; read without a JVM."""

from deltalake import DeltaTable

from contract import lake
from contract.errors import UserError
from contract.settings import Settings


def open_table(settings: Settings, name: str) -> DeltaTable:
    """Open a table; UserError for an unknown name and for a table that does not exist."""
    if name not in lake.TABLES:
        raise UserError(f"There is no table {name!r}. The tables are {', '.join(lake.TABLES)}.")
    if settings.object_store:
        from contract.bucket_access import require_buckets

        require_buckets(settings)
    uri = lake.table_uri(settings.lake, name)
    if not DeltaTable.is_deltatable(uri):
        raise UserError(
            f"There is no table {name} in NEST_LAKE={settings.lake} yet. `nest pipeline` creates "
            "the tables."
        )
    return DeltaTable(uri)
