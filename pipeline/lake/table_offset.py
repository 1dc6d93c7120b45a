"""How far a stream has come in a Delta table, as Delta writes it into checkpoints and reports."""

from collections.abc import Mapping
from typing import Any, NamedTuple, Self


class TableOffset(NamedTuple):
    """Where a stream is in a table: after the file ``file_index`` of the commit ``version``.

    While it reads the rows that the table had at its start, that commit's version stands for all
    of them.
    """

    table: str
    table_id: str
    version: int
    file_index: int
    """-1 before the first file."""
    is_initial: bool

    @classmethod
    def of(cls, table: str, offset: Mapping[str, Any]) -> Self:
        """Take it from Delta's own offset; KeyError for another source's."""
        return cls(
            table=table,
            table_id=offset["reservoirId"],
            version=offset["reservoirVersion"],
            file_index=max(offset["index"], -1),
            is_initial=offset["isStartingVersion"],
        )

    @property
    def complete_version(self) -> int:
        """The version up to which, included, all is taken in; -1 before that is true of any."""
        return -1 if self.is_initial else self.version - 1

    @property
    def read_version(self) -> int:
        """The newest version of which the stream has read something."""
        return self.version - (self.file_index < 0)
