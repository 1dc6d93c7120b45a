"""Run Streamlit's server, and end with exit code 0 when told to stop; see ``dashboard.serve``."""

import signal
import sys
from pathlib import Path
from types import FrameType

from streamlit.web.cli import main as streamlit


def main(options: list[str]) -> None:
    """Serve the dashboard, with Streamlit's options, until SIGTERM or Ctrl-C."""
    # Uvicorn takes the signals while it serves. When it has shut down, it puts these handlers back
    # and raises the signal again.
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, _end)
    streamlit(["run", str(Path(__file__).with_name("asgi.py")), *options])


def _end(number: int, frame: FrameType | None) -> None:
    raise SystemExit(0)


if __name__ == "__main__":
    main(sys.argv[1:])
