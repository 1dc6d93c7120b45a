"""The examples by name: each module of the folders ``kafka`` and ``delta``."""

import ast
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from functools import cached_property
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, cast

from contract.errors import UserError

if TYPE_CHECKING:
    from examples.playground import Playground

_ROOT = Path(__file__).parent
FOLDERS = ("kafka", "delta")


@dataclass(frozen=True)
class Example:
    """An example, read from its file without importing Spark.

    ``rows`` are the rows of docs/features.md that it shows.
    """

    name: str
    file: Path

    @property
    def module(self) -> str:
        """The name by which Python imports it."""
        return f"examples.{self.file.parent.name}.{self.file.stem}"

    @property
    def summary(self) -> str:
        """The first paragraph of its docstring."""
        return self.paragraphs[0]

    @property
    def paragraphs(self) -> list[str]:
        """Its docstring, a line for each paragraph: what it shows and what one should see."""
        text = (ast.get_docstring(self._tree) or "").replace("``", "`")
        return [" ".join(paragraph.split()) for paragraph in text.split("\n\n")]

    @cached_property
    def rows(self) -> tuple[str, ...]:
        """The value of ROWS."""
        for node in self._tree.body:
            if isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) == "ROWS":
                return tuple(ast.literal_eval(node.value))
        return ()

    def load(self) -> Callable[["Playground"], object]:
        """Import it and return its function ``run``."""
        return cast(Callable[["Playground"], object], import_module(self.module).run)

    @cached_property
    def source(self) -> str:
        """The text of its file."""
        return self.file.read_text(encoding="utf-8")

    @cached_property
    def _tree(self) -> ast.Module:
        return ast.parse(self.source)


def examples() -> dict[str, Example]:
    """Return all examples by name: those of Kafka first, each folder by the alphabet."""
    return {
        name: Example(name, file)
        for folder in FOLDERS
        for file in sorted((_ROOT / folder).glob("*.py"))
        if (name := file.stem.replace("_", "-")) != "--init--"
    }


def find_example(name: str) -> Example:
    """Return the example of that name; UserError if there is none.

    It says which names are near, or which examples are about a word, an option or a row.
    """
    known = examples()
    wanted = name.lower().replace("_", "-")
    if wanted in known:
        return known[wanted]
    near = get_close_matches(wanted, known, n=3, cutoff=0.6)
    near += [each for each in known if wanted and wanted in each and each not in near]
    raise UserError(f"There is no example {name}. {_hint(near[:3], _about(name, known))}")


def _about(word: str, known: Mapping[str, Example]) -> list[str]:
    """Return the names of the examples in whose file a word is, such as an option or a row."""
    if not word.strip():
        return []
    whole_word = re.compile(rf"(?<!\w){re.escape(word)}(?!\w)", re.IGNORECASE)
    return [name for name, example in known.items() if whole_word.search(example.source)]


def _hint(near: Sequence[str], about: Sequence[str]) -> str:
    if near:
        return f"Did you mean {' or '.join(near)}?"
    if about:
        return f"These are about it: {', '.join(about)}."
    return "`nest example` lists them."
