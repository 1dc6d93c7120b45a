"""A lab's notebook as its authors have agreed to write it: title, rows, exercises, solutions."""

import re
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

import nbformat
from nbformat import NotebookNode

ROOT = Path(__file__).parents[1]
FOLDER = ROOT / "notebooks"

_TITLE = re.compile(r"# (?P<number>\d+)\. (?P<title>.+)")
_FACTS = re.compile(
    r"\*\*(?P<minutes>\d+) minutes\*\* · rows (?P<rows>[A-E]\d+(?: [A-E]\d+)*) "
    r"of \[docs/features\.md\]\(\.\./docs/features\.md\)"
)
_QUESTION = re.compile(r"^\*\*Question\*\*: (?P<question>.+)$", re.MULTILINE)
_SOLUTION = re.compile(
    r"<details><summary>Solution</summary>\n\n```python\n(.+?)\n```\n\n.+?</details>", re.DOTALL
)


@dataclass(frozen=True)
class ExerciseCells:
    """An exercise: the numbers of its cells, its name in the check, and its solution's source."""

    cell: int
    check: int
    name: str
    solution: str


@dataclass(frozen=True)
class LabNotebook:
    """A notebook with the name of its lab and the cells in it."""

    path: Path

    @cached_property
    def node(self) -> NotebookNode:
        """The notebook as nbformat reads it."""
        return nbformat.read(self.path, as_version=4)

    @property
    def name(self) -> str:
        """The name that ``open_lab`` knows, which is the file's without its number."""
        return self.path.stem.partition("_")[2]

    @property
    def number(self) -> int:
        """The number in the file's name."""
        return int(self.path.stem.partition("_")[0])

    @property
    def cells(self) -> list[NotebookNode]:
        """All cells, in order."""
        return list(self.node.cells)

    @cached_property
    def head(self) -> str:
        """The first cell."""
        return str(self.cells[0].source)

    @property
    def title(self) -> tuple[int, str]:
        """The number and the title in the first line; ValueError if it has another form."""
        return int(_found(_TITLE, self.head)["number"]), _found(_TITLE, self.head)["title"]

    @property
    def minutes(self) -> int:
        """How long the lab takes; ValueError if the line is missing."""
        return int(_found(_FACTS, self.head)["minutes"])

    @property
    def rows(self) -> list[str]:
        """The rows of docs/features.md that it shows; ValueError if the line is missing."""
        return _found(_FACTS, self.head)["rows"].split()

    @property
    def question(self) -> str:
        """What the lab answers; ValueError if the line is missing."""
        return _found(_QUESTION, self.head)["question"]

    @cached_property
    def exercises(self) -> list[ExerciseCells]:
        """The exercises, in order; ValueError where one has not its four cells."""
        return [
            self._exercise(number)
            for number, cell in enumerate(self.cells)
            if "exercise" in tags(cell)
        ]

    def _exercise(self, number: int) -> ExerciseCells:
        _, check, solution = self.cells[number : number + 3]
        if "check" not in tags(check):
            raise ValueError(f"cell {number + 1} is no check")
        name = _found(re.compile(r'lab\.check\("(?P<name>\w+)", '), check.source)["name"]
        source = _found(_SOLUTION, solution.source)[1]
        return ExerciseCells(number, number + 1, name, source)


def lab_notebooks() -> list[LabNotebook]:
    """Return the notebooks of all labs, in order."""
    return [LabNotebook(path) for path in sorted(FOLDER.glob("[0-9][0-9]_*.ipynb"))]


def tags(cell: NotebookNode) -> list[str]:
    """Return a cell's tags."""
    return list(cell.metadata.get("tags", []))


def _found(pattern: re.Pattern[str], text: str) -> re.Match[str]:
    match = pattern.search(text)
    if match is None:
        raise ValueError(f"{pattern.pattern!r} is not in {text[:200]!r}")
    return match
