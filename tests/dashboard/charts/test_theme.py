"""The colours of the charts and the size of their text."""

import tomllib
from pathlib import Path

import altair as alt
import pandas as pd
import pytest

import dashboard
from dashboard.charts.camera_events import KINDS
from dashboard.charts.theme import ChartTheme, with_readable_text

THEMES = tomllib.loads((Path(dashboard.__file__).parent / "theme.toml").read_text())["theme"]


def luminance(color: str) -> float:
    """WCAG's relative luminance of a colour like #b84a00."""
    shares = [int(color[place : place + 2], 16) / 255 for place in (1, 3, 5)]
    linear = [
        each / 12.92 if each <= 0.03928 else ((each + 0.055) / 1.055) ** 2.4 for each in shares
    ]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def contrast(one: str, other: str) -> float:
    lighter, darker = sorted((luminance(one), luminance(other)), reverse=True)
    return (lighter + 0.05) / (darker + 0.05)


@pytest.mark.parametrize("kind", ["light", "dark"])
def test_the_two_colours_of_the_report_differ_in_brightness_and_all_from_the_page(kind: str):
    theme = THEMES[kind]
    colors = theme["chartCategoricalColors"]
    assert contrast(colors[0], colors[1]) >= 3
    assert min(contrast(each, theme["backgroundColor"]) for each in colors) >= 3


@pytest.mark.parametrize("kind", ["light", "dark"])
def test_each_kind_of_event_has_a_colour_of_its_own(kind: str):
    assert len(set(THEMES[kind]["chartCategoricalColors"])) >= len(KINDS)


def test_the_text_of_charts_can_be_read_from_afar():
    chart = alt.Chart(pd.DataFrame({"x": [1]})).mark_point().encode(x="x:Q")
    theme = ChartTheme("light", "black", ("white", "blue"))
    config = with_readable_text(chart, theme).to_dict()["config"]
    sizes = [
        config[part][f"{kind}FontSize"]
        for part in ("axis", "legend")
        for kind in ("label", "title")
    ]
    assert min(sizes) >= 12
