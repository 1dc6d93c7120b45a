"""A drawing of events, the records that carry them, and what becomes of their count."""

from dataclasses import dataclass, field
from datetime import timedelta
from typing import Any

from contract.settings import Settings
from tools.drawings.canvas import Canvas

_LEFT, _RIGHT, _OUTCOME, _WIDTH = 118, 648, 672, 960
"""Where the time axis begins and ends, where outcomes stand, and the width, in pixels."""
_TOP, _LANE = 64, 62
_LATENESS: timedelta = Settings.model_fields["lateness"].default
_SKEW: timedelta = Settings.model_fields["clock_skew"].default
_WATERMARK: timedelta = Settings.model_fields["watermark"].default


@dataclass
class CountSoFar:
    """The count as the lanes go on: which events are in it, and how many there are."""

    count: int
    seen: set[timedelta] = field(default_factory=set)

    def take(self, event: timedelta, stamped: timedelta) -> tuple[str, str]:
        """Take a record in, and return the style of its outcome and the outcome."""
        if stamped < event - _SKEW:
            return "bad", "from the future: not counted"
        if stamped > event + _LATENESS:
            return "bad", "too late: not counted"
        if event in self.seen:
            return "still", f"the same sighting: still {self.count}"
        self.seen.add(event)
        self.count += 1
        return "good", f"on time: {self.count - 1} → {self.count}"


class TimeAxis:
    """Where an instant of the day is, from left to right."""

    def __init__(self, start: str, end: str) -> None:
        self.start, self.end = _time(start), _time(end)

    def x(self, time: timedelta) -> float:
        """Return the pixel of a time."""
        return round(_LEFT + (_RIGHT - _LEFT) * ((time - self.start) / (self.end - self.start)), 1)

    def hours(self) -> list[timedelta]:
        """Return the full hours on the axis."""
        hours = (timedelta(hours=hour) for hour in range(25))
        return [hour for hour in hours if self.start <= hour <= self.end]


def draw_count(source: dict[str, Any]) -> Canvas:
    """Draw what a source like docs/drawings/count.toml describes."""
    lanes, axis = source["lanes"], TimeAxis(*source["axis"])
    bottom = _TOP + _LANE * (len(lanes) + 1)
    canvas = Canvas(_WIDTH, bottom + 52, source["title"], source["description"])
    _draw_axis(canvas, axis, source["hour"], bottom)
    so_far = CountSoFar(source["count"])
    for number, lane in enumerate(lanes):
        _draw_lane(canvas, axis, _TOP + _LANE * number, lane, so_far)
    _draw_watermark(canvas, axis, _TOP + _LANE * len(lanes), source["watermark"])
    _draw_legend(canvas, bottom + 31)
    return canvas


def _draw_axis(canvas: Canvas, axis: TimeAxis, hour: list[str], bottom: float) -> None:
    start, end = (axis.x(_time(each)) for each in hour)
    canvas.rectangle("band", start, 40, end - start, bottom - 40)
    for each in axis.hours():
        x = axis.x(each)
        canvas.path("faint", f"M{x:g} 40 V{bottom:g}")
        canvas.text("small middle", x, 31, f"{each // timedelta(hours=1):02}:00")
    canvas.text("small middle", (start + end) / 2, 55, "the hour that is counted")
    canvas.text("small", _OUTCOME, 31, "what becomes of the count")


def _draw_lane(
    canvas: Canvas, axis: TimeAxis, top: float, lane: dict[str, Any], so_far: CountSoFar
) -> None:
    event, stamped = _time(lane["event"]), _time(lane["stamped"])
    style, outcome = so_far.take(event, stamped)
    middle = top + _LANE / 2 + 4
    start, end = axis.x(event - _SKEW), axis.x(event + _LATENESS)
    canvas.rectangle("window", start, middle - 11, end - start, 22, radius=4)
    if stamped != event:
        canvas.path("line", f"M{axis.x(event):g} {middle:g} H{axis.x(stamped):g}")
    _diamond(canvas, axis.x(event), middle)
    if arrives := lane.get("arrives"):
        canvas.arrow("line dashed", [(axis.x(event), middle), (axis.x(_time(arrives)), middle)])
    _record(canvas, style, axis.x(stamped) + (13 if stamped == event else 0), middle)
    _draw_words(canvas, top, lane, style, outcome)


def _draw_watermark(canvas: Canvas, axis: TimeAxis, top: float, watermark: dict[str, Any]) -> None:
    newest = _time(watermark["newest"])
    middle = top + _LANE / 2 + 4
    now, then = axis.x(newest), axis.x(newest - _WATERMARK)
    canvas.arrow("mark", [(now - 8, middle), (then + 2, middle)], head="markhead")
    canvas.path("mark", f"M{then:g} {top + 12:g} V{top + _LANE - 4:g}")
    _diamond(canvas, now, middle)
    hours = _WATERMARK // timedelta(hours=1)
    canvas.text(
        "small middle", (now + then) / 2, middle - 8, f"{hours} hours before the newest event"
    )
    _draw_words(canvas, top, watermark, "kept", "the hour is closed")


def _draw_words(canvas: Canvas, top: float, lane: dict[str, Any], style: str, outcome: str) -> None:
    canvas.path("faint", f"M20 {top:g} H{_WIDTH - 20}")
    canvas.text("name", 20, top + _LANE / 2 + 9, lane["name"])
    canvas.text(style, _OUTCOME, top + 20, outcome)
    for number, line in enumerate(lane["text"]):
        canvas.text("small", _OUTCOME, top + 37 + 16 * number, line)


def _diamond(canvas: Canvas, x: float, y: float) -> None:
    canvas.path("event", f"M{x:g} {y - 8:g} l8 8 l-8 8 l-8 -8 Z")


def _record(canvas: Canvas, style: str, x: float, y: float) -> None:
    canvas.circle({"good": "counted", "still": "same"}.get(style, "refused"), x, y, 7)
    if style == "bad":
        canvas.path("cross", f"M{x - 3:g} {y - 3:g} l6 6 m0 -6 l-6 6")


def _draw_legend(canvas: Canvas, y: float) -> None:
    canvas.path("faint", f"M20 {y - 31:g} H{_WIDTH - 20}")
    _diamond(canvas, 30, y - 4)
    canvas.text("small", 46, y, "a person is seen")
    _record(canvas, "good", 190, y - 4)
    canvas.text("small", 204, y, "its record is stamped")
    canvas.arrow("line dashed", [(368, y - 4), (398, y - 4)])
    canvas.text("small", 406, y, "and arrives")
    canvas.rectangle("window", 506, y - 15, 34, 22, radius=4)
    minutes, hours = _SKEW // timedelta(minutes=1), _LATENESS // timedelta(hours=1)
    on_time = f"on time: from {minutes} minutes before the event to {hours} hour after it"
    canvas.text("small", 548, y, on_time)


def _time(text: str) -> timedelta:
    hours, minutes = text.split(":")
    return timedelta(hours=int(hours), minutes=int(minutes))
