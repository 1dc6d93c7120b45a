"""What is read from the lake: the size of each table from its log alone, and what is wrong."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from deltalake.exceptions import DeltaError

from contract.delta_tables import TableSize, open_delta_table, table_size
from contract.errors import UserError
from contract.lake import QUARANTINE, TABLES, table_location
from contract.redaction import redact_text
from monitoring.quarantine_reasons import QuarantineReasons


@dataclass(frozen=True)
class LakeReadings:
    """The tables that are there, and the rows of the quarantine by reason."""

    tables: Mapping[str, TableSize] = field(default_factory=dict)
    quarantine: Mapping[str, int] = field(default_factory=dict)


def read_lake(lake: str) -> Iterator[LakeReadings]:
    """Yield the tables' sizes each time; UserError when one that is there cannot be read."""
    reasons = QuarantineReasons()
    while True:
        tables: dict[str, TableSize] = {}
        for name in TABLES:
            uri = table_location(lake, name)
            try:
                # anew, so that a table in the place of another is noticed
                table = open_delta_table(uri)
                if table is None:
                    continue
                tables[name] = table_size(table)
                if name == QUARANTINE:
                    reasons.refresh(table)
            except (DeltaError, OSError, ValueError) as error:
                raise UserError(
                    f"The table {name} cannot be read: {redact_text(str(error))}"
                ) from None
        yield LakeReadings(tables, reasons.rows if QUARANTINE in tables else {})
