"""The glossary: one sentence a term, and code that shows it."""

import re
from pathlib import Path

import pytest

from contract.glossary import Term, glossary, meaning
from contract.lake import REASONS
from tools.glossary_page import line_of

ROOT = Path(__file__).parents[2]
TERMS = [term for terms in glossary().values() for term in terms]


@pytest.mark.parametrize("term", TERMS, ids=lambda term: term.name)
def test_a_term_is_one_sentence_and_its_code_is_there(term: Term) -> None:
    assert re.fullmatch(r"[A-Z`][^.]*(\.\w[^.]*)*\.", term.meaning), "not one sentence"
    line = (ROOT / term.file).read_text().splitlines()[line_of(term.file, term.symbol) - 1]
    assert term.symbol in line


def test_a_term_stands_once() -> None:
    names = [term.name for term in TERMS]
    assert sorted(set(names)) == sorted(names)


def test_code_that_is_gone_is_an_error() -> None:
    with pytest.raises(ValueError, match=r"stats\.py has no gone_function"):
        line_of("contract/stats.py", "gone_function")


def test_a_meaning_is_plain_text() -> None:
    assert meaning("watermark").startswith(
        "The newest event time that a query has seen, less NEST_"
    )


def test_each_reason_of_the_quarantine_is_a_term() -> None:
    assert all(meaning(f"reason {reason}") for reason in REASONS)
