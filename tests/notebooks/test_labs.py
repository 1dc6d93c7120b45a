"""Every lab, in one kernel on real Kafka, Spark and Delta: its cells, its checks and its hints."""

from collections.abc import Iterator
from importlib import import_module

import pytest

from labs.exercise import exercises_of
from tools.lab_kernel import LabKernel, as_kept, kinds, lab_kernel
from tools.lab_notebook import FOLDER, ExerciseCells, LabNotebook, lab_notebooks, tags

pytestmark = [pytest.mark.spark, pytest.mark.kafka]


@pytest.fixture(scope="module")
def kernel() -> Iterator[LabKernel]:
    with lab_kernel(FOLDER) as kernel:
        yield kernel


@pytest.mark.parametrize("lab", lab_notebooks(), ids=lambda lab: lab.name)
def test_a_lab_runs_and_judges_every_answer(lab: LabNotebook, kernel: LabKernel) -> None:
    """Each check is run on the cell as handed out, on wrong answers and on the solution."""
    kernel.forget()
    by_check = {each.check: each for each in lab.exercises}
    differences = []
    for number, cell in enumerate(lab.cells):
        if cell.cell_type != "code":
            continue
        found = kernel.run(cell.source)
        if "cleanup" in tags(cell):
            total = len(lab.exercises)
            assert f"{total} of {total} exercises done" in as_kept(found)[0]["text"]
            continue
        form = kinds if "varies" in tags(cell) else as_kept
        if form(found) != form(cell.outputs):
            differences.append(f"{cell.source}\n  gave {form(found)}\n  kept {form(cell.outputs)}")
        if number in by_check:
            differences += wrong_verdicts(lab, by_check[number], kernel)
    assert not differences, "\n\n".join(differences)


def wrong_verdicts(lab: LabNotebook, exercise: ExerciseCells, kernel: LabKernel) -> list[str]:
    """Return what the check should not have said; the last answer that it gets is the solution.

    A check writes nothing else, to standard error neither.
    """
    check = lab.cells[exercise.check].source
    first_hint = exercises_of(import_module(f"labs.checks.{lab.name}"))[exercise.name].first_hint
    wrong = import_module(f"tests.notebooks.wrong_answers.{lab.name}").WRONG[exercise.name]
    expected = {
        lab.cells[exercise.cell].source: f"not yet: replace the `...` in the cell above. "
        f"{first_hint}",
        **wrong,
        exercise.solution: "is right: ",
    }
    found = []
    for answer, verdict in expected.items():
        kernel.run(answer)
        said = kernel.said(check)
        mark = "✓ Exercise" if answer == exercise.solution else "✗ Exercise"
        if verdict not in said or not said.startswith(mark):
            found.append(f"{answer}\n  should get {verdict!r}\n  got {said!r}")
    return found
