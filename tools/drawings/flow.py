"""A drawing of boxes on a grid and the arrows between them."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from tools.drawings.canvas import Canvas

_MARGIN = 20
_TOP = 52
_LINE = 16


@dataclass(frozen=True)
class Box:
    """A box: what it is, what stands in it, and where it lies, in pixels."""

    kind: str
    name: str
    text: Sequence[str]
    left: float
    top: float
    right: float
    bottom: float

    @property
    def center(self) -> tuple[float, float]:
        """The point in the middle."""
        return (self.left + self.right) / 2, (self.top + self.bottom) / 2


def draw_flow(source: dict[str, Any]) -> Canvas:
    """Draw what a source like docs/drawings/flow.toml describes."""
    boxes = {name: _place(name, box, source) for name, box in source["boxes"].items()}
    width = max(box.right for box in boxes.values()) + _MARGIN
    height = max(box.bottom for box in boxes.values()) + _MARGIN
    canvas = Canvas(width, height, source["title"], source["description"])
    _draw_legend(canvas, source["legend"])
    for start, ends in source["arrows"].items():
        for end in ends:
            canvas.arrow("line", _route(boxes[start], boxes[end]))
    for box in boxes.values():
        _draw_box(canvas, box)
    return canvas


def _place(name: str, box: dict[str, Any], source: dict[str, Any]) -> Box:
    column, row = box["at"]
    widths, gap = source["columns"], source["column_gap"]
    spanned = widths[column : column + box.get("columns", 1)]
    left = _MARGIN + sum(widths[:column]) + gap * column
    step = source["row_height"] + source["row_gap"]
    top = _TOP + row * step
    return Box(
        box["is"],
        box.get("name", name),
        box["text"],
        left,
        top,
        left + sum(spanned) + gap * (len(spanned) - 1),
        top + box.get("rows", 2) * step - source["row_gap"],
    )


def _route(start: Box, end: Box) -> list[tuple[float, float]]:
    """Return an arrow's points: straight on where the boxes face each other, else by a corner."""
    top, bottom = max(start.top, end.top), min(start.bottom, end.bottom)
    if top < bottom:
        y = (top + bottom) / 2
        return [(start.right, y), (end.left, y)]
    left, right = max(start.left, end.left), min(start.right, end.right)
    if left < right:
        x = (left + right) / 2
        return [(x, start.bottom), (x, end.top)]
    between = (start.bottom + end.top) / 2 - 2
    x = start.center[0]
    return [(x, start.bottom), (x, between), (end.center[0], between), (end.center[0], end.top)]


def _draw_box(canvas: Canvas, box: Box) -> None:
    width, height = box.right - box.left, box.bottom - box.top
    canvas.rectangle("page plain", box.left, box.top, width, height, radius=7)
    canvas.rectangle(box.kind, box.left, box.top, width, height, radius=7)
    if height < 2 * _LINE:
        canvas.text("name code", box.left + 12, box.top + height / 2 + 5, box.name)
        after = box.left + 12 + 9.4 * len(box.name) + 10
        canvas.text("small", after, box.top + height / 2 + 5, box.text[0])
        return
    x, middle = box.center
    y = middle - _LINE * len(box.text) / 2 + 5
    canvas.text("name code middle", x, y, box.name)
    for number, line in enumerate(box.text, 1):
        canvas.text("small middle", x, y + 1 + _LINE * number, line)


def _draw_legend(canvas: Canvas, legend: dict[str, str]) -> None:
    x = float(_MARGIN)
    for kind, meaning in legend.items():
        canvas.rectangle(kind, x, 18, 18, 14, radius=4)
        canvas.text("small", x + 25, 30, meaning)
        x += 25 + 7.6 * len(meaning) + 24
