"""A selection as the query of an address, such as ``threshold=500&hours=24+h&zip=94304``."""

from collections.abc import Mapping, Sequence
from datetime import timedelta
from urllib.parse import urlencode

from dashboard.data.query_values import (
    INSTANT,
    WHOLE_NUMBER,
    UnusableQueryError,
    instant,
    instant_text,
    whole_number,
)
from dashboard.data.selection import Selection

ALL_HOURS = "All"
FROM_TO = "From/to"
LOOKBACKS = {
    "24 h": timedelta(hours=24),
    "3 days": timedelta(days=3),
    "7 days": timedelta(days=7),
}
"""Choices of hours that end with the newest one. The address holds these texts."""
HOURS = [*LOOKBACKS, ALL_HOURS, FROM_TO]
_PARAMETERS = ("threshold", "hours", "from", "to", "zip")


def selection_query(selection: Selection) -> str:
    """Return the query that names a selection whatever the defaults are."""
    pairs = [("threshold", str(selection.threshold))]
    pairs += [("hours", name) for name, span in LOOKBACKS.items() if span == selection.lookback]
    if selection.start or selection.end:
        pairs.append(("hours", FROM_TO))
    pairs += [
        (name, instant_text(limit))
        for name, limit in (("from", selection.start), ("to", selection.end))
        if limit
    ]
    pairs += [("zip", zip_code) for zip_code in selection.zip_codes]
    return urlencode(pairs)


def parse_selection(query: Mapping[str, Sequence[str]], default_threshold: int) -> Selection:
    """Return the selection that a query names, all values by parameter.

    The limits ``from`` and ``to`` hold with ``hours=From/to``, as on the page, and without any
    ``hours``. Raises UnusableQueryError for a parameter or a value that is not known.
    """
    if not {*query} <= {*_PARAMETERS}:
        raise UnusableQueryError(f"The parameters can be {', '.join(_PARAMETERS)}, and no other.")
    last = {name: values[-1] for name, values in query.items() if values}
    hours = last.get("hours", FROM_TO)
    if hours not in HOURS:
        raise UnusableQueryError(f"hours is not one of {', '.join(HOURS)}.")
    threshold = whole_number(last.get("threshold", str(default_threshold)))
    if threshold is None:
        raise UnusableQueryError(f"threshold is not {WHOLE_NUMBER}.")
    limits = {name: instant(last[name]) for name in ("from", "to") if name in last}
    for name, limit in limits.items():
        if limit is None:
            raise UnusableQueryError(f"{name} is not {INSTANT}.")
    if hours != FROM_TO:
        limits = {}
    return Selection(
        threshold,
        LOOKBACKS.get(hours),
        limits.get("from"),
        limits.get("to"),
        tuple(query.get("zip", ())),
    )
