"""Dependencies between the rooms point one way."""

import re
import sys
import tomllib
from collections import defaultdict
from graphlib import TopologicalSorter
from importlib.metadata import packages_distributions
from pathlib import Path

import pytest

from tests.imports import ROOT, TOP_PACKAGES, imported_names

MAY_IMPORT = {
    "contract": set(),
    "producer": {"contract"},
    "pipeline": {"contract"},
    "dashboard": {"contract"},
    "check": {"contract"},
    "monitoring": {"contract"},
    "examples": {"contract", "producer", "pipeline"},
    "demo": {"contract", "producer", "pipeline", "dashboard", "check", "monitoring", "examples"},
    "labs": {"contract", "producer", "pipeline", "check", "examples", "demo"},
    "nest_camera_analytics": {"demo"},
    "bench": {"contract", "producer", "pipeline", "dashboard", "check", "demo"},
    "tools": {"contract", "producer", "monitoring", "demo", "labs", "bench"},
}
"""Each room with the rooms that it may import."""


def imported(file: Path) -> set[str]:
    """Return the top-level names that a file imports, wherever in it."""
    return {name.split(".")[0] for name in imported_names(file)}


def test_every_room_has_its_place() -> None:
    packages = {path.parent.name for path in ROOT.glob("*/__init__.py")}
    assert packages == MAY_IMPORT.keys() == TOP_PACKAGES - {"tests"}


@pytest.mark.parametrize("room", MAY_IMPORT)
def test_a_room_imports_only_the_rooms_below_it(room: str) -> None:
    files = list((ROOT / room).rglob("*.py"))
    assert files
    found = set().union(*map(imported, files)) & TOP_PACKAGES
    assert found - {room} <= MAY_IMPORT[room]


PARTS = {
    "pipeline": {
        "spark": set(),
        "single_writer": {"spark"},
        "lake": {"spark"},
        "checkpoints": {"lake", "spark"},
        "parsing": set(),
        "queries": {"checkpoints", "lake", "parsing", "spark"},
        "running": {"checkpoints", "lake", "spark"},
        "maintenance": {"checkpoints", "lake", "single_writer", "spark"},
        "commands": {
            "checkpoints",
            "lake",
            "maintenance",
            "parsing",
            "queries",
            "single_writer",
            "spark",
        },
    },
    "demo": {
        "stack": set(),
        "tables": set(),
        "events": {"tables"},
        "health": set(),
        "cluster": {"stack"},
        "drills": {"health", "stack", "tables"},
        "commands": {"cluster", "drills", "events", "health", "stack", "tables"},
        "cli": {"commands", "drills", "events", "health", "stack"},
    },
}
"""The parts of the largest rooms, each with those that it may import."""


@pytest.mark.parametrize(
    ("room", "part"), [(room, part) for room, parts in PARTS.items() for part in parts]
)
def test_a_part_of_a_room_imports_only_those_above_it(room: str, part: str) -> None:
    files = list((ROOT / room / part).rglob("*.py"))
    assert files
    above = PARTS[room][part]
    found = set().union(*(parts_imported(file, room) for file in files))
    assert found & (PARTS[room].keys() | {"app"}) - {part} <= above


def parts_imported(file: Path, room: str) -> set[str]:
    """Return the parts and modules of a room that a file imports, wherever in it."""
    return {name.split(".")[1] for name in imported_names(file) if name.startswith(f"{room}.")}


# In labs the type of an exercise names the lab, which has exercises.
@pytest.mark.parametrize("room", sorted(MAY_IMPORT.keys() - {"labs"}))
def test_parts_and_modules_of_a_room_do_not_import_each_other_in_a_circle(room: str) -> None:
    imports: dict[str, set[str]] = defaultdict(set)
    for file in (ROOT / room).rglob("*.py"):
        place = file.relative_to(ROOT / room).parts[0].removesuffix(".py")
        imports[place] |= parts_imported(file, room) - {place}
    TopologicalSorter(imports).prepare()  # raises CycleError


@pytest.mark.parametrize("room", PARTS)
def test_every_part_of_a_room_has_its_place(room: str) -> None:
    parts = {path.parent.name for path in (ROOT / room).glob("*/__init__.py")}
    assert parts == PARTS[room].keys()


@pytest.mark.parametrize("room", ["contract", "producer", "dashboard", "check", "monitoring"])
def test_only_the_pipeline_needs_spark(room: str) -> None:
    assert not any("pyspark" in imported(file) for file in (ROOT / room).rglob("*.py"))


@pytest.mark.parametrize(
    "room", ["contract", "producer", "pipeline", "check", "monitoring", "examples", "demo", "labs"]
)
def test_only_the_dashboard_needs_streamlit(room: str) -> None:
    assert not any("streamlit" in imported(file) for file in (ROOT / room).rglob("*.py"))


@pytest.mark.parametrize("room", ["producer", "pipeline", "dashboard", "check", "monitoring"])
def test_a_room_declares_the_packages_that_it_imports(room: str) -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    lines = project["dependencies"] + project["optional-dependencies"][room]
    declared = {re.split("[<=>]", line)[0] for line in lines} | {"py4j"}  # py4j is PySpark's own
    packages = packages_distributions()
    used = set().union(*map(imported, (ROOT / room).rglob("*.py"))) - TOP_PACKAGES
    for name in used - sys.stdlib_module_names:
        found = {each.lower().replace("_", "-") for each in packages[name]}
        assert declared & found, name
