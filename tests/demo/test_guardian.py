"""A Kafka does not outlive the kernel that has started it, however that ends."""

import subprocess
import sys
from pathlib import Path

from demo.stack import guardian


def test_the_process_and_its_folder_are_gone_when_the_kernel_is(tmp_path: Path) -> None:
    folder = tmp_path / "lab"
    (folder / "log").mkdir(parents=True)
    kafka = subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE)
    # The kernel is a process that starts the guardian and is killed.
    kernel = f"""
import os, subprocess, sys
command = [sys.executable, {guardian.__file__!r}, "{kafka.pid}", {str(folder)!r}]
print(subprocess.Popen(command, stdin=subprocess.PIPE, start_new_session=True).pid, flush=True)
os.kill(os.getpid(), 9)
"""
    killed = subprocess.run([sys.executable, "-c", kernel], check=False, capture_output=True)
    assert killed.returncode == -9
    assert kafka.wait(timeout=30) == -9
    # The guardian has the other end of this pipe until it has removed the folder.
    assert int(killed.stdout)
    assert not folder.exists()
