"""Every example can be found, says what it shows, and has a test of its own."""

from pathlib import Path

import pytest

from contract.errors import UserError
from examples.registry import FOLDERS, Example, examples, find_example

TESTS = Path(__file__).parent
EXAMPLES = list(examples().values())


def test_no_two_examples_share_a_name() -> None:
    root = TESTS.parents[1] / "examples"
    files = [file for folder in FOLDERS for file in (root / folder).glob("*.py")]
    assert len(EXAMPLES) == len([file for file in files if file.stem != "__init__"])


@pytest.mark.parametrize("example", EXAMPLES, ids=lambda example: example.name)
def test_an_example_names_its_rows_and_what_a_learner_should_see(example: Example) -> None:
    assert example.rows
    assert len(example.summary) <= 100, "the first paragraph is one line"
    assert len(example.paragraphs) > 1, "its docstring ends after the summary"


@pytest.mark.parametrize("example", EXAMPLES, ids=lambda example: example.name)
def test_an_example_has_a_test_of_its_own(example: Example) -> None:
    assert (TESTS / example.file.parent.name / f"test_{example.file.stem}.py").exists()


def test_an_example_is_found_in_both_spellings(tmp_path: Path) -> None:
    for example in EXAMPLES:
        assert find_example(example.file.stem) == find_example(example.name)


def test_an_unknown_example_is_answered_with_what_is_near() -> None:
    known = next(iter(examples()))
    with pytest.raises(UserError, match=f"There is no example {known}x. Did you mean {known}"):
        find_example(f"{known}x")
    with pytest.raises(UserError, match="`nest example` lists them"):
        find_example("qqq")


@pytest.mark.parametrize(
    ("word", "name"),
    [("txnAppId", "idempotent-writes"), ("acid", "concurrent-writers"), ("B1", "source-limits")],
)
def test_a_word_is_answered_with_the_examples_that_are_about_it(word: str, name: str) -> None:
    with pytest.raises(
        UserError, match=f"no example {word}. These are about it: .*{name}"
    ) as found:
        find_example(word)
    assert "static-join" not in str(found.value), "which is about B14"
