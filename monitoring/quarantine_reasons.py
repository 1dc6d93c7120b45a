"""How many rows the quarantine has for each reason."""

import time
from collections.abc import Mapping

from deltalake import DeltaTable, QueryBuilder
from deltalake.exceptions import DeltaError

from contract.lake import QUARANTINE, REASONS

_SHARE = 0.02
"""How much of the time may be spent on counting: many small files are slow to count."""


class QuarantineReasons:
    """Counts a version once, and no more often than its share of the time allows."""

    def __init__(self) -> None:
        self._counted: tuple[str, int] | None = None
        self._due = 0.0
        self.rows: Mapping[str, int] = {}
        """Rows by reason; each of ours is there also with none, so that its growth is seen."""

    def refresh(self, table: DeltaTable) -> None:
        """Count an open table, unless it is known or it is too soon; DeltaError where it cannot."""
        version = (table.metadata().id, table.version())
        started = time.monotonic()
        if version == self._counted or started < self._due:
            return
        reasons = f"SELECT reason, count(*) AS records FROM {QUARANTINE} GROUP BY reason"  # noqa: S608
        try:
            found = QueryBuilder().register(QUARANTINE, table).execute(reasons).read_all()
        except Exception as error:  # a query of deltalake raises nothing narrower
            raise DeltaError(str(error)) from error
        counts = zip(
            found.column("reason").to_pylist(), found.column("records").to_pylist(), strict=True
        )
        self.rows = {**dict.fromkeys(REASONS, 0), **{str(reason): n for reason, n in counts}}
        self._counted = version
        self._due = time.monotonic() + (time.monotonic() - started) / _SHARE
