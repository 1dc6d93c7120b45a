"""Each image has the packages and rooms that its commands import, told from the source alone."""

import ast
import re
from collections.abc import Iterable, Iterator
from importlib.metadata import packages_distributions
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
COMMANDS = {
    "producer": ("produce", "device_locations"),
    "pipeline": ("pipeline", "ready"),
    "dashboard": ("dashboard", "report", "check"),
    "nest": ("topics", "check", "report", "doctor", "tail"),
    "metrics": ("metrics",),
    "drill": ("drill",),
}
"""What is run in each image (docker-compose.yml, and the pages of the dashboard)."""


def stage(image: str) -> str:
    """Return the lines of the Dockerfile that make an image, with those it is based on."""
    text = (ROOT / "Dockerfile").read_text()
    own = re.search(rf"^FROM (\S+) AS {image}\n(.*?)(?=^FROM |\Z)", text, re.M | re.S)
    if not own:
        return ""
    return stage(own[1]) + own[2]


def packages_of(image: str) -> set[str]:
    names = set()
    for group in re.findall(r"-r (requirements/\S+\.txt)", stage(image)):
        names |= set(re.findall(r"^([\w.-]+)==", (ROOT / group).read_text(), re.M))
    assert names
    return {name.lower().replace("_", "-") for name in names}


def imports(body: Iterable[ast.AST]) -> Iterator[str]:
    """Yield the modules that are imported when these statements run; functions in them do not."""
    for node in body:
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            yield node.module
            yield from (f"{node.module}.{alias.name}" for alias in node.names)
        elif isinstance(node, ast.If) and "TYPE_CHECKING" in ast.unparse(node.test):
            continue
        elif not isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
            yield from imports(ast.iter_child_nodes(node))


def file_of(module: str) -> Path | None:
    path = ROOT.joinpath(*module.split("."))
    found = [path.with_suffix(".py"), path / "__init__.py"]
    return next((each for each in found if each.exists()), None)


def everything_from(modules: set[str]) -> set[str]:
    """Return the modules with all that they import, and all that those import."""
    known: set[str] = set()
    while modules:
        module = modules.pop()
        if module in known:
            continue
        known.add(module)
        parent = module.rpartition(".")[0]
        modules |= {parent} if parent else set()
        if file := file_of(module):
            modules |= set(imports(ast.parse(file.read_text()).body))
    return known


def body_of(command: str) -> list[ast.stmt]:
    for file in (ROOT / "demo" / "cli").glob("*.py"):
        for node in ast.parse(file.read_text()).body:
            if isinstance(node, ast.FunctionDef) and node.name == command:
                return node.body
    raise LookupError(command)


@pytest.mark.parametrize(
    ("image", "command"),
    [(image, command) for image, commands in COMMANDS.items() for command in commands],
)
def test_an_image_has_what_its_commands_import(image: str, command: str) -> None:
    modules = everything_from({"demo.cli", *imports(body_of(command))})
    rooms = {path.name for path in ROOT.iterdir() if (path / "__init__.py").exists()}
    names = {module.split(".")[0] for module in modules}
    copied = set(re.findall(r"^COPY (\w+) \1$", stage(image), re.M))
    assert names & rooms <= copied
    distributions = packages_distributions()
    for name in names - rooms:
        made_by = {each.lower().replace("_", "-") for each in distributions.get(name, ())}
        assert not made_by or made_by & packages_of(image), name
