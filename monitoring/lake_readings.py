"""What is read from the lake: the size of each table from its log alone, and what is wrong."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from deltalake import DeltaTable
from deltalake.exceptions import DeltaError

from contract.errors import UserError
from contract.lake import QUARANTINE, TABLES, table_uri
from contract.redaction import redact_text
from monitoring.quarantine_reasons import QuarantineReasons


@dataclass(frozen=True)
class TableReading:
    """How large a table's newest version is."""

    version: int
    files: int
    bytes: int
    rows: int | None
    """None if the writer kept no statistics."""


@dataclass(frozen=True)
class LakeReadings:
    """The tables that are there, and the rows of the quarantine by reason."""

    tables: Mapping[str, TableReading] = field(default_factory=dict)
    quarantine: Mapping[str, int] = field(default_factory=dict)


def read_lake(lake: str) -> Iterator[LakeReadings]:
    """Yield the tables' sizes each time; UserError when one that is there cannot be read."""
    reasons = QuarantineReasons()
    while True:
        tables: dict[str, TableReading] = {}
        for name in TABLES:
            uri = table_uri(lake, name)
            try:
                if not DeltaTable.is_deltatable(uri):
                    continue
                table = DeltaTable(uri)  # anew, so that a table in the place of another is noticed
                tables[name] = _size(table)
                if name == QUARANTINE:
                    reasons.refresh(table)
            except (DeltaError, OSError, ValueError) as error:
                raise UserError(
                    f"The table {name} cannot be read: {redact_text(str(error))}"
                ) from None
        yield LakeReadings(tables, reasons.rows if QUARANTINE in tables else {})


def _size(table: DeltaTable) -> TableReading:
    files = table.get_add_actions()
    rows: list[int | None] = files.column("num_records").to_pylist()
    known = [each for each in rows if each is not None]
    return TableReading(
        table.version(),
        len(rows),
        sum(files.column("size_bytes").to_pylist()),
        sum(known) if len(known) == len(rows) else None,
    )
