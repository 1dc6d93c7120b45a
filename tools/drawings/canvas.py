"""An SVG of shapes and texts; only its style sheet knows colours, one for light and one for dark.

The colours are the dashboard's. Texts are texts, in whatever font the reader has, and every drawing
has a background of its own, so it can be read on any page.
"""

import tomllib
from collections.abc import Sequence
from pathlib import Path
from typing import Literal
from xml.etree import ElementTree

THEME = Path(__file__).parents[2] / "dashboard" / "theme.toml"

ThemeKind = Literal["light", "dark"]

_STYLE = """
text {{ font-size: 14px; fill: {text};
  font-family: system-ui, -apple-system, "Segoe UI", "Noto Sans", Helvetica, Arial, sans-serif; }}
.name {{ font-weight: 600; font-size: 15px; }}
.code {{ font-family: ui-monospace, "SF Mono", Menlo, Consolas, "DejaVu Sans Mono", monospace; }}
.small {{ font-size: 12.5px; fill: {gray}; }}
.middle {{ text-anchor: middle; }}
.end {{ text-anchor: end; }}
.page {{ fill: {page}; stroke: {line}; }}
.plain {{ stroke: none; }}
.band {{ fill: {band}; }}
.line {{ stroke: {gray}; stroke-width: 1.6; fill: none; }}
.faint {{ stroke: {line}; stroke-width: 1; fill: none; }}
.dashed {{ stroke-dasharray: 5 4; }}
.head {{ fill: {gray}; }}
.topic, .query, .table, .reader {{ stroke-width: 1.8; fill-opacity: 0.13; }}
.topic {{ fill: {first}; stroke: {first}; }}
.query {{ fill: {second}; stroke: {second}; }}
.table {{ fill: {third}; stroke: {third}; }}
.reader {{ fill: {fourth}; stroke: {fourth}; }}
.home {{ fill: {band}; stroke: {gray}; stroke-width: 1.8; }}
.event {{ fill: {second}; }}
.counted {{ fill: {third}; stroke: {third}; stroke-width: 2; }}
.same {{ fill: {page}; stroke: {third}; stroke-width: 2; }}
.refused {{ fill: {page}; stroke: {first}; stroke-width: 2; }}
.cross {{ stroke: {first}; stroke-width: 2; fill: none; }}
.window {{ fill: {third}; fill-opacity: 0.16; }}
.mark {{ stroke: {fourth}; stroke-width: 2.2; fill: none; }}
.markhead {{ fill: {fourth}; }}
.good {{ fill: {third}; font-weight: 600; font-size: 15px; }}
.bad {{ fill: {first}; font-weight: 600; font-size: 15px; }}
.still {{ fill: {gray}; font-weight: 600; font-size: 15px; }}
.kept {{ fill: {fourth}; font-weight: 600; font-size: 15px; }}
"""


class Canvas:
    """A drawing that is being made; x goes to the right and y down, in pixels."""

    def __init__(self, width: float, height: float, title: str, description: str) -> None:
        self._svg = ElementTree.Element(
            "svg",
            {
                "xmlns": "http://www.w3.org/2000/svg",
                "viewBox": f"0 0 {width:g} {height:g}",
                "width": f"{width:g}",
                "height": f"{height:g}",
                "role": "img",
                "aria-labelledby": "title description",
            },
        )
        ElementTree.SubElement(self._svg, "title", id="title").text = title
        ElementTree.SubElement(self._svg, "desc", id="description").text = description
        self._style = ElementTree.SubElement(self._svg, "style")
        self.rectangle("page", 0.5, 0.5, width - 1, height - 1, radius=10)

    def rectangle(
        self, style: str, x: float, y: float, width: float, height: float, *, radius: float = 0
    ) -> None:
        """Draw a rectangle, its corners round by ``radius``."""
        self._add("rect", style, x=x, y=y, width=width, height=height, rx=radius)

    def circle(self, style: str, x: float, y: float, radius: float) -> None:
        """Draw a circle around a point."""
        self._add("circle", style, cx=x, cy=y, r=radius)

    def path(self, style: str, path: str) -> None:
        """Draw a path in SVG's own words."""
        self._add("path", style, d=path)

    def text(self, style: str, x: float, y: float, text: str) -> None:
        """Write a line of text that stands on ``y``."""
        self._add("text", style, x=x, y=y).text = text

    def arrow(self, style: str, points: Sequence[tuple[float, float]], head: str = "head") -> None:
        """Draw a line through points, with a head that ends at the last one."""
        (x0, y0), (x, y) = points[-2:]
        length = max(abs(x - x0), abs(y - y0))
        along = ((x - x0) / length, (y - y0) / length)
        neck = (x - 7 * along[0], y - 7 * along[1])
        side = (4.5 * along[1], -4.5 * along[0])
        line = [*points[:-1], neck]
        self.path(style, "M" + " L".join(f"{px:g} {py:g}" for px, py in line))
        self.path(
            head,
            f"M{x:g} {y:g} L{neck[0] + side[0]:g} {neck[1] + side[1]:g} "
            f"L{neck[0] - side[0]:g} {neck[1] - side[1]:g} Z",
        )

    def as_text(self, kind: ThemeKind) -> str:
        """Return the drawing in the colours of a theme."""
        self._style.text = _STYLE.format_map(_colors(kind))
        ElementTree.indent(self._svg)
        return ElementTree.tostring(self._svg, encoding="unicode") + "\n"

    def _add(self, tag: str, style: str, **attributes: float | str) -> ElementTree.Element:
        values = {
            name: value if isinstance(value, str) else f"{value:g}"
            for name, value in attributes.items()
        }
        return ElementTree.SubElement(self._svg, tag, {"class": style, **values})


def _colors(kind: ThemeKind) -> dict[str, str]:
    theme = tomllib.loads(THEME.read_text(encoding="utf-8"))["theme"][kind]
    first, second, third, fourth, *_ = theme["chartCategoricalColors"]
    return {
        "page": theme["backgroundColor"],
        "band": theme["secondaryBackgroundColor"],
        "text": theme["textColor"],
        "gray": theme["grayTextColor"],
        "line": "#c8d1da" if kind == "light" else "#34424f",
        "first": first,
        "second": second,
        "third": third,
        "fourth": fourth,
    }
