"""Each image has the packages and rooms that its commands import, told from the source alone."""

import ast
import re
import subprocess
import sys
from collections.abc import Iterable, Iterator
from importlib.metadata import packages_distributions
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
COMMANDS = {
    "producer": ("produce", "device_locations"),
    "pipeline": ("pipeline", "ready"),
    "dashboard": ("dashboard", "report", "check", "history"),
    "nest": ("topics", "check", "report", "doctor", "tail"),
    "metrics": ("metrics",),
    "drill": ("drill",),
}
"""What is run in each image (docker-compose.yml, and the pages of the dashboard)."""


def dockerfile_lines(image: str) -> str:
    """Return the lines of the Dockerfile that make an image, with those it is based on."""
    text = (ROOT / "Dockerfile").read_text()
    own = re.search(rf"^FROM (\S+) AS {image}\n(.*?)(?=^FROM |\Z)", text, re.M | re.S)
    if not own:
        return ""
    return dockerfile_lines(own[1]) + own[2]


def pinned_packages(image: str) -> set[str]:
    """Return the packages that are installed in an image, in the normal form of their names."""
    names = set()
    for group in re.findall(r"sh requirements/install_packages\.sh (\w+)", dockerfile_lines(image)):
        lock = ROOT / "requirements" / f"{group}.txt"
        names |= set(re.findall(r"^([\w.-]+)==", lock.read_text(), re.M))
    assert names
    return set(map(normal_form, names))


def normal_form(package: str) -> str:
    return re.sub(r"[-_.]+", "-", package).lower()


def modules_imported_by(body: Iterable[ast.AST]) -> Iterator[str]:
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
            yield from modules_imported_by(ast.iter_child_nodes(node))


def source_file(module: str) -> Path | None:
    path = ROOT.joinpath(*module.split("."))
    found = [path.with_suffix(".py"), path / "__init__.py"]
    return next((each for each in found if each.exists()), None)


def with_all_they_import(modules: set[str]) -> set[str]:
    """Return the modules with all that they import, and all that those import."""
    known: set[str] = set()
    while modules:
        module = modules.pop()
        if module in known:
            continue
        known.add(module)
        parent = module.rpartition(".")[0]
        modules |= {parent} if parent else set()
        if file := source_file(module):
            modules |= set(modules_imported_by(ast.parse(file.read_text()).body))
    return known


def statements_of(command: str) -> list[ast.stmt]:
    """Return the statements of the function that Typer calls for a command."""
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
    modules = with_all_they_import({"demo.cli", *modules_imported_by(statements_of(command))})
    rooms = {path.name for path in ROOT.iterdir() if (path / "__init__.py").exists()}
    names = {module.split(".")[0] for module in modules}
    copied = set(re.findall(r"^COPY (\w+) \1$", dockerfile_lines(image), re.M))
    assert names & rooms <= copied
    distributions = packages_distributions()
    pinned = pinned_packages(image)
    for name in names - rooms - sys.stdlib_module_names:
        assert pinned & set(map(normal_form, distributions[name])), name


def programs_in_the_dockerfile() -> list[str]:
    """Return the Python programs that the build runs, as Python gets them."""
    text = (ROOT / "Dockerfile").read_text()
    programs = re.findall(r'python -c "([^"]+)"', text)
    assert len(programs) == text.count("python -c")
    return [program.replace("\\\n", "") for program in programs]


@pytest.mark.parametrize("program", programs_in_the_dockerfile())
def test_a_program_of_the_build_finds_all_that_it_imports(program: str) -> None:
    statements = ast.parse(program).body
    imports = [node for node in statements if isinstance(node, ast.Import | ast.ImportFrom)]
    assert imports
    imported = subprocess.run(
        [sys.executable, "-c", "\n".join(map(ast.unparse, imports))],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    assert imported.returncode == 0, imported.stderr


def test_all_that_the_build_copies_is_here() -> None:
    text = (ROOT / "Dockerfile").read_text().replace("\\\n", "")
    copies = re.findall(r"^COPY (?:--chown=\w+ )?((?!--)\S.*) \S+$", text, re.M)
    assert len(copies) > 20
    sources = [ROOT / source for copy in copies for source in copy.split()]
    assert [source for source in sources if not source.exists()] == []


def test_the_files_that_a_lab_reads_are_sent_to_the_build() -> None:
    named = {
        path
        for notebook in (ROOT / "notebooks").glob("*.ipynb")
        for path in re.findall(r"\bdata/[\w/.-]+", notebook.read_text())
    }
    sent = [
        line[1:] for line in (ROOT / ".dockerignore").read_text().splitlines() if line[:1] == "!"
    ]
    assert named
    for path in named:
        assert any(Path(path).is_relative_to(each) for each in sent), path
