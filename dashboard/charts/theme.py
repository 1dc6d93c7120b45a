"""The colours that charts take from the viewer's theme."""

from typing import Any, Literal, NamedTuple

ThemeKind = Literal["light", "dark"]


class ChartTheme(NamedTuple):
    """The theme's kind and the colours that a chart cannot take from it by itself."""

    kind: ThemeKind
    text_color: str
    sequential_colors: tuple[str, ...]
    """From few to many."""


def with_text_color(chart: Any, theme: ChartTheme) -> Any:
    """Give axes and legends the theme's text colour: Vega's own grey is too faint to read."""
    color = theme.text_color
    return chart.configure_axis(labelColor=color, titleColor=color).configure_legend(
        labelColor=color, titleColor=color
    )
