"""What ``lab`` can do in a notebook, as docs/labs.md lists it."""

import inspect
import re
from functools import cached_property

from bench.reporting.markdown_table import markdown_table
from labs.lab import Lab
from tools.lab_notebook import lab_notebooks

_USED = re.compile(r"\blab\.(\w+)")


def lab_reference() -> str:
    """Return a table of what the notebooks' code asks of ``lab``, by the docstrings."""
    code = "\n".join(
        cell.source for lab in lab_notebooks() for cell in lab.cells if cell.cell_type == "code"
    )
    members = {name: inspect.getattr_static(Lab, name, None) for name in _USED.findall(code)}
    rows = [
        (f"`lab.{name}{_arguments(member)}`", _first_paragraph(member))
        for name, member in sorted(members.items())
        if callable(member) or isinstance(member, cached_property)
    ]
    return markdown_table(("in a notebook", "what it does or is"), rows)


def _arguments(member: object) -> str:
    if not callable(member):
        return ""
    parameters = list(inspect.signature(member).parameters.values())
    bare = [each.replace(annotation=inspect.Parameter.empty) for each in parameters]
    if not isinstance(member, staticmethod):
        del bare[0]
    return str(inspect.Signature(bare))


def _first_paragraph(member: object) -> str:
    """Return the docstring's first paragraph; Playground has that of what Lab only varies."""
    return " ".join((inspect.getdoc(member) or "").split("\n\n")[0].split())
