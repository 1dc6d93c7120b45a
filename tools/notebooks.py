"""Run the labs' notebooks as they are handed out, keep their outputs, and list their rows."""

import re
import sys
from collections.abc import Mapping

import nbformat

from bench.reporting.markdown_table import markdown_table
from tools.lab_kernel import lab_kernel
from tools.lab_notebook import FOLDER, ROOT, LabNotebook, lab_notebooks
from tools.lab_reference import lab_reference

FEATURES = ROOT / "docs" / "features.md"
HEADING = "## In which lab a row is practised"
LABS = ROOT / "docs" / "labs.md"
HELPERS = """\
## What `lab` can do

Each notebook begins with `lab = open_lab(...)`. `lab.spark` is its Spark session, `lab.folder` the
folder with its lake and checkpoints, and `lab.console` prints into the notebook. All else is in
`labs/lab.py` and `examples/playground.py`:
"""
_ROW = re.compile(r"^\| ([A-Z]\d+) \| ([^|]+) \|", re.MULTILINE)
_CODE = re.compile("`[^`]+`")
_NOTE = "`make notebooks` writes this table."


def main(names: list[str]) -> None:
    """Write the outputs of the named labs, of all without a name, and the table of rows."""
    labs = [lab for lab in lab_notebooks() if not names or lab.name in names]
    with lab_kernel(FOLDER) as kernel:
        for lab in labs:
            kernel.forget()
            number = 0
            for cell in lab.cells:
                if cell.cell_type == "code":
                    number += 1
                    cell.outputs = kernel.run(cell.source)
                    cell.execution_count = number
                    for output in cell.outputs:
                        if "execution_count" in output:
                            output.execution_count = number
            nbformat.write(lab.node, lab.path)
            print(f"{lab.path.relative_to(ROOT)} is written.")
    for page, section in ((FEATURES, rows_section()), (LABS, labs_section())):
        heading = section.splitlines()[0]
        page.write_text(page.read_text().split(f"\n{heading}")[0].rstrip() + "\n\n" + section)
        print(f"{page.relative_to(ROOT)} has its table.")


def rows_section() -> str:
    """Return the section of docs/features.md that says in which lab a row is."""
    by_row: dict[str, list[LabNotebook]] = {}
    for lab in lab_notebooks():
        for row in lab.rows:
            by_row.setdefault(row, []).append(lab)
    rows = [
        (name, what, ", ".join(map(_link, by_row[name])))
        for name, what in _what_rows_are().items()
        if name in by_row
    ]
    return f"{HEADING}\n\n{_NOTE}\n\n{markdown_table(('row', 'what it is', 'lab'), rows)}"


def labs_section() -> str:
    """Return the end of docs/labs.md: what ``lab`` can do, and the labs with what is in them.

    Of what the rows of a lab name, such as options, the table has what is in the notebook.
    """
    what = _what_rows_are()
    rows = [
        (_link(lab), lab.question, ", ".join(_names_in(lab, what)), lab.minutes)
        for lab in lab_notebooks()
    ]
    table = markdown_table(("lab", "question", "with", "minutes"), rows)
    return f"{HELPERS}\n{lab_reference()}\n## All labs\n\n{_NOTE}\n\n{table}"


def _what_rows_are() -> dict[str, str]:
    """Return what each row of docs/features.md is, in the page's order."""
    return dict(_ROW.findall(FEATURES.read_text().split(f"\n{HEADING}\n")[0]))


def _names_in(lab: LabNotebook, what: Mapping[str, str]) -> list[str]:
    """Return the options, functions and topics of a lab's rows that are in its cells, as code."""
    cells = "\n".join(cell.source for cell in lab.cells)
    names = (name for row in lab.rows for name in _CODE.findall(what[row]))
    return [name for name in dict.fromkeys(names) if name.strip("`") in cells]


def _link(lab: LabNotebook) -> str:
    number, title = lab.title
    return f"[{number}. {title}](../notebooks/{lab.path.name})"


if __name__ == "__main__":
    main(sys.argv[1:])
