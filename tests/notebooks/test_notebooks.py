"""Every notebook runs from top to bottom, and is kept without what it printed."""

from pathlib import Path

import nbformat
import pytest
from nbclient import NotebookClient

NOTEBOOKS = sorted(Path(__file__).parents[2].glob("notebooks/*.ipynb"))
LONGEST_CELL = 15


def test_there_are_notebooks():
    assert NOTEBOOKS


@pytest.fixture(params=NOTEBOOKS, ids=lambda path: path.stem)
def path(request: pytest.FixtureRequest) -> Path:
    return request.param


@pytest.mark.spark
@pytest.mark.kafka
def test_a_notebook_runs_from_top_to_bottom(path: Path):
    notebook = nbformat.read(path, as_version=4)
    folder = {"metadata": {"path": str(path.parent)}}
    NotebookClient(notebook, timeout=300, kernel_name="python3", resources=folder).execute()
    written = [
        output
        for cell in notebook.cells
        for output in cell.get("outputs", [])
        if output.output_type != "stream" or output.name == "stdout"
    ]
    assert written


def test_a_notebook_is_kept_without_outputs_and_with_short_cells(path: Path):
    for cell in nbformat.read(path, as_version=4).cells:
        if cell.cell_type == "code":
            assert not cell.outputs
            assert cell.execution_count is None
            assert len(cell.source.splitlines()) <= LONGEST_CELL, cell.source
