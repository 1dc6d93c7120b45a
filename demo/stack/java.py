"""The Java that Kafka and Spark run on."""

import os
import re
import shutil
import subprocess
from pathlib import Path

from contract.errors import UserError

OLDEST = 17
ADVICE = "Install Java 17 (on Debian and Ubuntu: apt-get install openjdk-17-jre-headless)."


def java_command() -> str:
    """Return the path of Java as Spark looks for it: JAVA_HOME's, else the one on the PATH.

    Raises UserError when there is none.
    """
    home = os.environ.get("JAVA_HOME")
    if home:
        command = Path(home) / "bin" / "java"
        if not command.exists():
            raise UserError(f"JAVA_HOME={home} holds no bin/java. Correct or unset JAVA_HOME.")
        return str(command)
    found = shutil.which("java")
    if not found:
        raise UserError(f"There is no Java on this machine. {ADVICE}")
    return found


def java_version(command: str) -> tuple[int, str]:
    """Return Java's feature number, such as 17, and the line that names it in full."""
    done = subprocess.run([command, "-version"], check=False, capture_output=True, text=True)
    words = done.stderr or done.stdout
    line = next((line for line in words.splitlines() if " version " in line), words.strip()[:200])
    match = re.search(r'version "(?:1\.)?(\d+)', line)
    return (int(match.group(1)) if match else 0), line
