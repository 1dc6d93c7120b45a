"""Run the labs' notebooks as they are handed out, keep their outputs, and list their rows."""

import sys

import nbformat

from bench.reporting.markdown_table import markdown_table
from tools.lab_kernel import lab_kernel
from tools.lab_notebook import FOLDER, ROOT, LabNotebook, lab_notebooks

FEATURES = ROOT / "docs" / "features.md"
HEADING = "## In which lab a row is practised"
LABS = ROOT / "docs" / "labs.md"
LABS_HEADING = "## All labs"
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
    names = sorted(by_row, key=lambda name: (name[0], int(name[1:])))
    rows = [(name, ", ".join(map(_link, by_row[name]))) for name in names]
    return f"{HEADING}\n\n{_NOTE}\n\n{markdown_table(('row', 'lab'), rows)}"


def labs_section() -> str:
    """Return the section of docs/labs.md that lists the labs."""
    rows = [(_link(lab), lab.question, lab.minutes) for lab in lab_notebooks()]
    table = markdown_table(("lab", "question", "minutes"), rows)
    return f"{LABS_HEADING}\n\n{_NOTE}\n\n{table}"


def _link(lab: LabNotebook) -> str:
    number, title = lab.title
    return f"[{number}. {title}](../notebooks/{lab.path.name})"


if __name__ == "__main__":
    main(sys.argv[1:])
