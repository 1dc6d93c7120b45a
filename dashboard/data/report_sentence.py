"""What the page Report says first: how much, where and when the most, and whether it is right."""

from collections.abc import Mapping
from datetime import datetime
from typing import NamedTuple
from zoneinfo import ZoneInfo

import pandas as pd

from contract.quantities import format_quantity
from contract.stats import UNPLACED
from dashboard.data.check_run import CheckRun
from dashboard.data.completeness import CatchingUp, seconds_behind
from dashboard.data.formatting import format_age, format_day, format_number, format_seconds, to_zone


class Phrase(NamedTuple):
    """A part of the sentence; a strong one is a figure that people look for."""

    text: str
    is_strong: bool = False


def report_sentence(
    rows: pd.DataFrame,
    cities: Mapping[str, str],
    *,
    has_others: bool,
    complete: datetime | CatchingUp | None,
    check: CheckRun,
    now: datetime,
    zone: ZoneInfo,
) -> list[Phrase]:
    """Return the sentence about some counts, its times in ``zone``.

    ``rows`` are as in ``CountsView``; ``has_others`` tells whether there are sightings that a
    viewer has not selected. ``cities`` has the city of a zip code. ``complete`` is the answer of
    ``how_complete``. A zip code that is not known is never the busiest; its sightings are named.
    """
    counted = rows[rows["count"] > 0]
    return [
        *_total(counted, has_others, now, zone),
        *_busiest(counted, cities, now, zone),
        *_completeness(complete, now),
        *_proof(check, now),
    ]


def as_text(phrases: list[Phrase]) -> str:
    """Return the sentence as plain text."""
    return "".join(phrase.text for phrase in phrases)


def _total(rows: pd.DataFrame, has_others: bool, now: datetime, zone: ZoneInfo) -> list[Phrase]:
    if rows.empty and has_others:
        return [Phrase("No sighting in the selected hours and zip codes. ")]
    if rows.empty:
        return [Phrase("No sighting is counted yet. ")]
    total, unplaced = (
        int(part["count"].sum()) for part in (rows, rows[rows["zip_code"] == UNPLACED])
    )
    since = to_zone(rows["start"].min().to_pydatetime(), zone)
    phrases = [
        Phrase(format_quantity(total, "sighting"), is_strong=True),
        Phrase(f" since {format_day(since, now)} {since:%H:%M}"),
    ]
    if unplaced:
        phrases.append(Phrase(f", {format_number(unplaced)} of them without a known zip code"))
    return [*phrases, Phrase(". ")]


def _busiest(
    rows: pd.DataFrame, cities: Mapping[str, str], now: datetime, zone: ZoneInfo
) -> list[Phrase]:
    placed = rows[rows["zip_code"] != UNPLACED]
    if placed.empty:
        return []
    first = placed.iloc[0]  # the highest count comes first
    zip_code = str(first["zip_code"])
    place = f"{cities.get(zip_code, '')} {zip_code}".strip()
    start = to_zone(first["start"].to_pydatetime(), zone)
    return [
        Phrase("Busiest: "),
        Phrase(place, is_strong=True),
        Phrase(f", {format_day(start, now)} {_hour(start)}, "),
        Phrase(format_number(int(first["count"])), is_strong=True),
        Phrase(". "),
    ]


def _completeness(complete: datetime | CatchingUp | None, now: datetime) -> list[Phrase]:
    if complete is None:
        return [Phrase("Completeness is not known yet; ")]
    if isinstance(complete, datetime):
        age = format_seconds(seconds_behind(complete, now))
        return [Phrase("Complete up to "), Phrase(f"{age} ago", is_strong=True), Phrase("; ")]
    messages = format_quantity(complete.messages, "message")
    if not complete.counted:  # their first counts may be there before the batch is over
        return [Phrase(f"Counting the first {messages}; ")]
    counted = Phrase(format_number(complete.counted), is_strong=True)
    return [Phrase("Catching up: "), counted, Phrase(f" of {messages} counted; ")]


def _proof(check: CheckRun, now: datetime) -> list[Phrase]:
    if check.ended_at is None or check.holds is None:
        return [Phrase("not proved yet.")]
    age = Phrase(format_age(now - check.ended_at), is_strong=True)
    said = "proved " if check.holds else "the check found differences "
    return [Phrase(said), age, Phrase(".")]


def _hour(start: datetime) -> str:
    """Write the hour that begins then: ``18 to 19 h``, or ``18:30 to 19:30`` in such a zone."""
    if start.minute:
        return f"{start:%H:%M} to {(start.hour + 1) % 24:02}:{start:%M}"
    return f"{start:%H} to {start.hour + 1:02} h"
