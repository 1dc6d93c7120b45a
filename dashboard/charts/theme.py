"""The colours that charts take from the viewer's theme."""

from typing import Any, Literal, NamedTuple

TEXT_SIZE = 13
"""Size of all text of charts, pixels."""
ThemeKind = Literal["light", "dark"]


class ChartTheme(NamedTuple):
    """The theme's kind and the colours that a chart cannot take from it by itself."""

    kind: ThemeKind
    text_color: str
    sequential_colors: tuple[str, ...]
    """From few to many."""


def with_readable_text(chart: Any, theme: ChartTheme) -> Any:
    """Give axes and legends the theme's text colour, and a size that can be read from afar.

    Vega's own grey is too faint, and its text too small.
    """
    text = {
        f"{part}{kind}": value
        for part in ("label", "title")
        for kind, value in (("Color", theme.text_color), ("FontSize", TEXT_SIZE))
    }
    return chart.configure_axis(**text).configure_legend(**text)
