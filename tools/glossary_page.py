"""docs/glossary.md, written from contract/glossary.toml, with a link to the line of each term."""

import ast
from collections.abc import Iterable, Iterator
from functools import cache
from pathlib import Path

from bench.reporting.markdown_table import markdown_table
from contract.glossary import Term, glossary

ROOT = Path(__file__).parents[1]

_HEAD = """\
# Glossary

Every term of the pages and of these docs, in one sentence. The name of the code is a link to the
line that shows it. `make docs` writes this page from `contract/glossary.toml`, from which the
dashboard takes its tooltips, too.
"""


def glossary_page() -> str:
    """Return the page."""
    return _HEAD + "".join(
        f"\n## {subject}\n\n{_table(terms)}" for subject, terms in glossary().items()
    )


def _table(terms: Iterable[Term]) -> str:
    in_order = sorted(terms, key=lambda term: term.name.strip("`").lower())
    return markdown_table(("term", "what it means", "code"), map(_row, in_order))


def _row(term: Term) -> tuple[str, str, str]:
    address = f"../{term.file}#L{line_of(term.file, term.symbol)}"
    return term.name, term.meaning, f"[`{term.symbol}`]({address})"


def line_of(file: str, symbol: str) -> int:
    """Return the line where a file defines a name, or else where it first uses it.

    The symbol may also be part of a text. Raises ValueError if it is not there.
    """
    found = _names(file)
    for kind in ("defined", "used", "written"):
        for name, line in found[kind]:
            if name == symbol or (kind == "written" and symbol in name):
                return line
    raise ValueError(f"{file} has no {symbol}")


@cache
def _names(file: str) -> dict[str, list[tuple[str, int]]]:
    """Return what a file defines, uses and writes as text, each with its line, in their order.

    A file that is not Python is all text.
    """
    text = (ROOT / file).read_text(encoding="utf-8")
    names: dict[str, list[tuple[str, int]]] = {"defined": [], "used": [], "written": []}
    if not file.endswith(".py"):
        names["written"] += [(line, number) for number, line in enumerate(text.splitlines(), 1)]
        return names
    tree = ast.parse(text)
    for kind, name, line in sorted(_walk(tree), key=lambda found: found[2]):
        names[kind].append((name, line))
    return names


def _walk(tree: ast.AST) -> Iterator[tuple[str, str, int]]:
    docstrings = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}
    for node in ast.walk(tree):
        match node:
            case ast.FunctionDef(name=name) | ast.ClassDef(name=name):
                yield "defined", name, node.lineno
            case ast.Name(id=name, ctx=ast.Store()):
                yield "defined", name, node.lineno
            case ast.Name(id=name):
                yield "used", name, node.lineno
            case ast.Attribute(attr=name, end_lineno=int(line)):
                yield "used", name, line
            case ast.keyword(arg=str(name)):
                yield "used", name, node.lineno
            case ast.Constant(value=str(text)) if id(node) not in docstrings:
                yield "written", text, node.lineno
