"""What a file imports, for the tests of which part of the project may know which."""

import ast
from pathlib import Path

ROOT = Path(__file__).parents[1]
TOP_PACKAGES = frozenset(
    {
        *("contract", "producer", "pipeline", "dashboard", "check", "monitoring", "examples"),
        *("demo", "labs", "nest_camera_analytics", "bench", "tools", "tests"),
    }
)
"""The folders at the top that hold Python."""


def imported_names(file: Path) -> set[str]:
    """Return the full names of what a file imports, wherever in it; all imports are absolute."""
    names = set()
    for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            names |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{file} has a relative import"
            names |= {f"{node.module}.{alias.name}" for alias in node.names}
    return names


def imported_modules(file: Path) -> set[str]:
    """Return our own modules that a file imports, wherever in it, by their full names."""
    return {_module_of(name) for name in imported_names(file) if name.split(".")[0] in TOP_PACKAGES}


def _module_of(name: str) -> str:
    """Return the module that a name is, or is in."""
    path = ROOT.joinpath(*name.split("."))
    is_module = path.is_dir() or path.with_suffix(".py").exists()
    return name if is_module else name.rpartition(".")[0]
