"""Start the ``nest`` command with the rooms on the path."""

import os
import sys
from pathlib import Path

_PACKAGE = Path(__file__).parent
ROOMS = _PACKAGE if (_PACKAGE / "contract").is_dir() else _PACKAGE.parent
"""The folder of the rooms: this package in an installation, its parent in a checkout."""

_INTERRUPTED = 130
"""The exit code of what Ctrl-C has ended."""


def main() -> None:
    """Run ``nest`` here; the processes that it starts, Spark's workers too, find the rooms."""
    search_path = [str(ROOMS), *filter(None, [os.environ.get("PYTHONPATH")])]
    os.environ["PYTHONPATH"] = os.pathsep.join(search_path)
    sys.path.insert(0, str(ROOMS))
    try:
        from demo.cli import main as run_command_line  # noqa: PLC0415 - it is on the path only now

        run_command_line()
    except KeyboardInterrupt:  # while Python still imports
        raise SystemExit(_INTERRUPTED) from None
