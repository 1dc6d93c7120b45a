"""One Jupyter kernel for the cells of many labs, with one Kafka and one Spark for all of them."""

import re
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from nbclient import NotebookClient
from nbformat import NotebookNode
from nbformat.v4 import new_code_cell, new_notebook

_TIMEOUT_S = 240
_MARK = re.compile(r'aria-label="([^"]*)"')


class LabKernel:
    """Runs the source of cells, one after the other, as JupyterLab does."""

    def __init__(self, client: NotebookClient) -> None:
        self._client = client

    def run(self, source: str) -> list[NotebookNode]:
        """Run a cell and return its outputs, without what it wrote to standard error.

        Raises nbclient's CellExecutionError when it fails.
        """
        return [each for each in self._outputs(source) if each.get("name") != "stderr"]

    def said(self, source: str) -> str:
        """Run a cell and return what it wrote, first to standard error, on one line."""
        written = sorted(self._outputs(source), key=lambda each: each.get("name") != "stderr")
        return " ".join(" ".join(each.get("text", "") for each in written).split())

    def forget(self) -> None:
        """Forget all names, as a new notebook would."""
        self.run("%reset -f")

    def _outputs(self, source: str) -> list[NotebookNode]:
        cell = new_code_cell(source)
        self._client.nb.cells = [cell]
        self._client.execute_cell(cell, 0)
        outputs: list[NotebookNode] = cell.outputs
        return outputs


@contextmanager
def lab_kernel(folder: Path) -> Iterator[LabKernel]:
    """Start a kernel in a folder; labs that are closed in it leave Kafka and Spark running."""
    client = NotebookClient(
        new_notebook(),
        timeout=_TIMEOUT_S,
        kernel_name="python3",
        coalesce_streams=True,
        record_timing=False,
        resources={"metadata": {"path": str(folder)}},
    )
    with client.setup_kernel():
        kernel = LabKernel(client)
        kernel.run("from labs.runtime import share; share()")
        try:
            yield kernel
        finally:
            kernel.run("from labs.runtime import runtime; runtime().stop()")


def as_kept(outputs: list[NotebookNode]) -> list[dict[str, object]]:
    """Return what a cell shows, in a form that can be compared: text by type, without counts.

    Of a chart only its marks with their values: where its text stands depends on the fonts.
    """
    return [
        {"error": output.ename}
        if output.output_type == "error"
        else {"text": _text(output.text)}
        if output.output_type == "stream"
        else {kind: _text(value, kind) for kind, value in output.data.items()}
        for output in outputs
    ]


def kinds(outputs: list[NotebookNode]) -> list[list[str]]:
    """Return of which types the outputs of a cell are."""
    return [sorted(each) for each in as_kept(outputs)]


def _text(value: object, kind: str = "text/plain") -> str:
    text = "".join(value) if isinstance(value, list) else str(value)
    return "\n".join(_MARK.findall(text)) if kind == "image/svg+xml" else text
