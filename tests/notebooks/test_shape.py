"""The labs' notebooks are written as agreed, and every hint has a wrong answer that gets it."""

import ast
import inspect
import re
import textwrap
from importlib import import_module

import pytest
from nbformat import NotebookNode

from examples.registry import examples
from labs.exercise import exercises_of
from tests.test_features import ROWS
from tools.lab_notebook import LabNotebook, lab_notebooks, tags
from tools.notebooks import FEATURES, LABS, labs_section, rows_section

LONGEST_CELL = 15
TAGS = {"exercise", "check", "cleanup", "varies"}
_NUMBER = re.compile(r"\d[\d,.:]*\d")
NOT_PRINTED = {
    ("follow_one_message", "1,000"),  # the demo's threshold
    ("follow_one_message", "15:00"),  # on the axis of a picture
    ("follow_one_message", "16:00"),
    ("bytes_to_rows", "8601"),  # ISO
    ("people_not_messages", "16"),  # kB that Kafka's client sends to one partition
    ("who_is_offline", "340"),  # the messages after the first 120 of 460
    ("late_and_out_of_order", "9:29"),  # printed as 09:29
    ("late_and_out_of_order", "2748"),  # an issue of Delta Lake
    ("late_and_out_of_order", "4.4"),  # its version
    ("keep_it_healthy", "16:40"),  # what the next cell asks for
    ("keep_it_healthy", "32"),  # MB of a file that maintenance writes
    ("keep_it_healthy", "10,000"),  # the limit of the alert LagGrows
}
"""Numbers that a text says one should see, and that no cell prints as they are."""


@pytest.fixture(params=lab_notebooks(), ids=lambda lab: lab.name)
def lab(request: pytest.FixtureRequest) -> LabNotebook:
    return request.param


def test_there_are_notebooks() -> None:
    assert lab_notebooks()


def test_a_lab_says_first_what_it_is_about(lab: LabNotebook) -> None:
    assert lab.title[0] == lab.number
    assert 5 <= lab.minutes <= 25
    assert set(lab.rows) <= {
        f"{part}{n}" for part, rows in ROWS.items() for n in range(1, rows + 1)
    }
    assert lab.question.endswith("?")
    assert "\n**Objective**: " in lab.head
    assert lab.cells[1].source.endswith(f'lab = open_lab("{lab.name}")')


def test_a_lab_ends_with_three_sentences_and_the_clean_up(lab: LabNotebook) -> None:
    *_, keep, clean_up, last = lab.cells
    heading, *sentences = [line for line in keep.source.splitlines() if line]
    assert heading == "## Three sentences to keep"
    assert [line[:3] for line in sentences] == ["1. ", "2. ", "3. "]
    assert clean_up.source.startswith("## Clean up")
    assert tags(last) == ["cleanup"]
    assert last.source == "lab.close()"
    ((first, *_),) = [output.text.splitlines() for output in last.outputs]
    assert first.startswith(f"0 of {len(lab.exercises)} exercises done.")


def test_each_exercise_has_its_check_and_its_solution(lab: LabNotebook) -> None:
    names = list(exercises_of(import_module(f"labs.checks.{lab.name}")))
    assert [each.name for each in lab.exercises] == names
    assert 2 <= len(names) <= 3
    for number, each in enumerate(lab.exercises, start=1):
        assert lab.cells[each.cell - 1].source.startswith(f"### Exercise {number}: ")
        assert "..." in lab.cells[each.cell].source
        assert lab.cells[each.check].source.startswith("lab.check(")
        assert "..." not in each.solution


def test_cells_are_short_and_keep_their_outputs(lab: LabNotebook) -> None:
    code = [cell for cell in lab.cells if cell.cell_type == "code"]
    for number, cell in enumerate(code, start=1):
        assert len(cell.source.splitlines()) <= LONGEST_CELL, cell.source
        assert set(tags(cell)) <= TAGS
        assert cell.execution_count == number, "make notebooks"
        assert not any(output.output_type == "error" for output in cell.outputs), cell.source
    assert any(cell.outputs for cell in code)


def printed_texts(cell: NotebookNode) -> list[str]:
    """Return what a cell printed as text; the coordinates of a picture are not for reading."""
    outputs = cell.get("outputs", [])
    return [each.get("text") or each.get("data", {}).get("text/plain", "") for each in outputs]


def test_the_numbers_that_one_should_see_were_printed(lab: LabNotebook) -> None:
    printed: set[str] = set()
    unseen: set[str] = set()
    for cell in lab.cells:
        if cell.cell_type == "markdown":
            paragraphs = [each for each in cell.source.split("\n\n") if "ou should see" in each]
            unseen |= set(_NUMBER.findall("\n".join(paragraphs))) - printed
        printed |= set(_NUMBER.findall("\n".join([cell.source, *printed_texts(cell)])))
    assert unseen == {number for name, number in NOT_PRINTED if name == lab.name}


def test_no_credential_is_in_what_is_kept(lab: LabNotebook) -> None:
    for cell in lab.cells:
        kept = str(cell.get("outputs", ""))
        assert not re.search(r"access_token\W+c\.\w|[?&]auth=\w", kept), cell.source


def test_the_labs_show_every_row() -> None:
    shown = {row for lab in lab_notebooks() for row in lab.rows}
    rows = {f"{part}{n}" for part in "ABCDE" for n in range(1, ROWS[part] + 1)}
    assert shown == rows, sorted(rows ^ shown)


def test_a_lab_names_every_example_of_its_rows(lab: LabNotebook) -> None:
    text = "".join(cell.source for cell in lab.cells if cell.cell_type == "markdown")
    for example in examples().values():
        if set(example.rows) & set(lab.rows):
            assert f"`nest example {example.name}`" in text


def test_every_hint_has_a_wrong_answer_that_gets_it(lab: LabNotebook) -> None:
    wrong = import_module(f"tests.notebooks.wrong_answers.{lab.name}").WRONG
    exercises = exercises_of(import_module(f"labs.checks.{lab.name}"))
    assert wrong.keys() == exercises.keys()
    for name, exercise in exercises.items():
        source = ast.parse(textwrap.dedent(inspect.getsource(exercise.check)))
        hints = [node for node in ast.walk(source) if isinstance(node, ast.Raise)]
        assert hints, f"{name} cannot fail"
        assert len(set(wrong[name].values())) >= len(hints), f"{name} has more hints than answers"


def test_the_tables_of_rows_and_of_labs_are_those_of_the_notebooks() -> None:
    assert FEATURES.read_text().endswith("\n\n" + rows_section()), "make notebooks"
    assert LABS.read_text().endswith("\n\n" + labs_section()), "make notebooks"
