"""The terms of the pages and docs, each with its meaning and the code that shows it."""

import tomllib
from functools import cache
from pathlib import Path
from typing import NamedTuple

_FILE = Path(__file__).with_name("glossary.toml")


class Term(NamedTuple):
    """A term: what it means in one sentence, and the file and name of the code that shows it."""

    name: str
    meaning: str
    file: str
    symbol: str


@cache
def glossary() -> dict[str, list[Term]]:
    """Return the terms by subject, in the order of the file."""
    subjects = tomllib.loads(_FILE.read_text(encoding="utf-8"))
    return {
        subject: [
            Term(name, meaning, *shown_in.split("::"))
            for name, (meaning, shown_in) in terms.items()
        ]
        for subject, terms in subjects.items()
    }


def meaning(name: str) -> str:
    """Return what a term means, as plain text without code marks; KeyError if it is none."""
    return _meanings()[name].replace("`", "")


@cache
def _meanings() -> dict[str, str]:
    return {term.name: term.meaning for terms in glossary().values() for term in terms}
