"""How a drill ends that is stopped."""

import os
import signal
from pathlib import Path

import pytest
from rich.console import Console

from contract.errors import Interrupted
from contract.settings import Settings
from demo.drills import run_drill
from demo.drills.registry import find_drill


def test_a_drill_that_a_signal_stops_says_so(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def stop(*arguments: object, **options: object) -> None:
        os.kill(os.getpid(), signal.SIGTERM)

    monkeypatch.setattr(run_drill, "find_running_demo", stop)
    drill = find_drill("kill-kafka")
    with pytest.raises(Interrupted, match="Stopped before the check") as stopped:
        run_drill.run_drill(Settings(state=tmp_path), drill, Console(quiet=True))
    assert stopped.value.exit_code == 128 + signal.SIGTERM
