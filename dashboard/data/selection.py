"""Which part of the counts a viewer has selected."""

from dataclasses import dataclass
from datetime import datetime, timedelta


@dataclass(frozen=True)
class Selection:
    """A viewer's choice of threshold, hours and zip codes; instants are in UTC."""

    threshold: int = 0
    """The report has the rows with more sightings than this."""
    lookback: timedelta | None = None
    """How far back from the newest hour; None for any distance."""
    start: datetime | None = None
    """First instant, inclusive; None for no limit."""
    end: datetime | None = None
    """Last instant, exclusive; None for no limit."""
    zip_codes: tuple[str, ...] = ()
    """Empty for all zip codes."""
