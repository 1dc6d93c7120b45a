"""Which module of the dashboard may import which."""

from pathlib import Path

import pytest

import dashboard
from tests.imports import TOP_PACKAGES, imported_names

ROOT = Path(dashboard.__file__).parent
ALLOWED = {
    "data": {"contract", "dashboard.data", "dashboard.refresh_intervals"},
    "charts": {"contract", "dashboard.charts"},
    "widgets": {
        "contract",
        "dashboard.charts",
        "dashboard.data",
        "dashboard.refresh_intervals",
        "dashboard.widgets",
        "streamlit",
    },
}
"""What each folder may import of this project and of Streamlit."""


@pytest.mark.parametrize("folder", ALLOWED)
def test_a_folder_imports_only_what_is_below_it(folder: str):
    files = sorted((ROOT / folder).rglob("*.py"))
    assert files
    for file in files:
        for name in imported_names(file):
            if name.split(".")[0] in {*TOP_PACKAGES, "streamlit"}:
                is_allowed = any(f"{name}.".startswith(f"{each}.") for each in ALLOWED[folder])
                assert is_allowed, f"{file.relative_to(ROOT)} imports {name}"
