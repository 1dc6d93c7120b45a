"""Which module of the dashboard may import which."""

import ast
from pathlib import Path

import pytest

import dashboard

ROOT = Path(dashboard.__file__).parent
ALLOWED = {
    "data": {"contract", "dashboard.data"},
    "charts": {"contract", "dashboard.charts"},
    "widgets": {"contract", "dashboard.charts", "dashboard.data", "dashboard.widgets", "streamlit"},
}
"""What each folder may import of this project and of Streamlit."""


def imported_modules(file: Path) -> set[str]:
    names: set[str] = set()
    for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            names |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, "imports are absolute"
            names |= {f"{node.module}.{alias.name}" for alias in node.names}
    return names


@pytest.mark.parametrize("folder", ALLOWED)
def test_a_folder_imports_only_what_is_below_it(folder: str):
    files = sorted((ROOT / folder).rglob("*.py"))
    assert files
    ours = ("contract", "producer", "pipeline", "dashboard", "check", "demo", "bench", "streamlit")
    for file in files:
        for name in imported_modules(file):
            if name.split(".")[0] in ours:
                is_allowed = any(f"{name}.".startswith(f"{each}.") for each in ALLOWED[folder])
                assert is_allowed, f"{file.relative_to(ROOT)} imports {name}"
