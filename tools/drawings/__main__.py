"""Make docs/images/*.svg of docs/drawings/*.toml: ``make docs``."""

import tomllib
from pathlib import Path
from typing import get_args

from tools.drawings.canvas import ThemeKind
from tools.drawings.count import draw_count
from tools.drawings.flow import draw_flow

DOCS = Path(__file__).parents[2] / "docs"
_DRAW = {"flow": draw_flow, "count": draw_count}
"""By the name of the source and of the picture."""


def write_drawings(folder: Path) -> None:
    """Write each drawing twice: ``flow.svg`` for a light page, ``flow-dark.svg`` for a dark one."""
    for name, draw in _DRAW.items():
        source = (DOCS / "drawings" / f"{name}.toml").read_text(encoding="utf-8")
        canvas = draw(tomllib.loads(source))
        for kind in get_args(ThemeKind):
            path = folder / (f"{name}.svg" if kind == "light" else f"{name}-{kind}.svg")
            path.write_text(canvas.as_text(kind), encoding="utf-8")


if __name__ == "__main__":
    write_drawings(DOCS / "images")
