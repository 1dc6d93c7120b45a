"""The station Cameras: whether messages come."""

from datetime import datetime, timedelta
from itertools import pairwise

from contract.glossary import meaning
from dashboard.data.formatting import format_number, format_seconds
from dashboard.data.live_view import OffsetSample
from dashboard.data.picture.station import NOTHING, Condition, Station

_SILENCE = timedelta(seconds=30)
_SILENT_INTERVALS = 20
"""Cameras are silent after so many times the usual interval between messages, and at least that
long: a few homes may send nothing for minutes."""


def cameras_station(samples: tuple[OffsetSample, ...], cameras: int, now: datetime) -> Station:
    """Return the station; ``cameras`` is how many are known, 0 if nothing tells."""
    condition, note = _arrivals(samples, now)
    value = format_number(cameras) if cameras else NOTHING
    return Station("cameras", "Cameras", value, note, condition, meaning("message"))


def _arrivals(samples: tuple[OffsetSample, ...], now: datetime) -> tuple[Condition, str]:
    """Tell whether messages come, as far as the samples (oldest first) go back."""
    if not samples:
        return "unknown", "not known yet"
    first = samples[0]
    arrivals = [after for before, after in pairwise(samples) if after.messages > before.messages]
    last = arrivals[-1] if arrivals else first
    quiet = now - last.time
    if not arrivals:  # nobody knows how often messages come
        is_long = quiet > _SILENCE
        return "unknown", _silent_for(quiet) if is_long else "no message yet"
    interval = (last.time - first.time) / (last.messages - first.messages)
    if quiet > max(_SILENCE, _SILENT_INTERVALS * interval):
        return "down", _silent_for(quiet)
    return "well", "known, sending"


def _silent_for(quiet: timedelta) -> str:
    return f"silent for {format_seconds(quiet.total_seconds())}"
