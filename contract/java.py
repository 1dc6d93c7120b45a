"""The Java that Kafka and Spark run on."""

import os
import re
import shutil
import subprocess
from pathlib import Path

from contract.errors import UserError

OLDEST = 17
QUICK_COMPILER_OPTIONS = (
    "-XX:TieredStopAtLevel=1",
    # With that compiler alone Java has room for 48 MB of compiled code. Spark's does not fit: Java
    # would throw some away and compile it again for as long as it runs.
    "-XX:ReservedCodeCacheSize=240m",
)
"""For a Java that is to start soon and has little to do: the quick compiler (C1) only."""
ADVICE = (
    "Install Java 17 (on Debian and Ubuntu: apt-get install openjdk-17-jre-headless; on macOS: "
    "brew install --cask temurin@17)."
)


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


def quoted(text: str) -> str:
    """Return a text in double quotes, as Java's files of arguments and logins (JAAS) have it.

    Spark's start script, which splits Java's options at blanks, reads it likewise.
    """
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"') + '"'


def java_version(command: str) -> tuple[int, str]:
    """Return Java's feature number, such as 17, and the line that names it in full.

    Raises UserError when the program cannot be run.
    """
    return _version(_run(command, "-version"))


def require_java(memory: str, setting: str) -> str:
    """Return the path of a Java that is new enough and takes ``memory`` as its heap.

    ``setting`` names where the memory comes from. Raises UserError when there is no such Java, and
    when Java refuses the memory.
    """
    command = java_command()
    done = _run(command, f"-Xmx{memory}", "-version")
    if not done.returncode:
        number, line = _version(done)
        if number >= OLDEST:
            return command
        raise UserError(f"{command} is not Java {OLDEST} or newer: {line!r}. {_advice()}")
    if _run(command, "-version").returncode:
        raise UserError(f"{command} does not work as Java: {_words(done)[:300]!r}. {_advice()}")
    raise UserError(
        f"Java refuses {setting}={memory}: {_words(done)}. "
        f"Set {setting} to memory that this machine has, for example '1g'."
    )


def main() -> None:
    """Say why no Java of this machine will do, and end with 1; say nothing if one does."""
    try:
        require_java("64m", "the heap")
    except UserError as error:
        raise SystemExit(str(error)) from None


def _run(command: str, *options: str) -> "subprocess.CompletedProcess[str]":
    try:
        return subprocess.run(
            [command, *options], check=False, capture_output=True, text=True, errors="replace"
        )
    except OSError as error:
        raise UserError(f"{command} cannot be run ({error.strerror}). {_advice()}") from None


def _version(done: "subprocess.CompletedProcess[str]") -> tuple[int, str]:
    words = done.stderr or done.stdout
    line = next((line for line in words.splitlines() if " version " in line), words.strip()[:200])
    match = re.search(r'version "(?:1\.)?(\d+)', line)
    return (int(match.group(1)) if match else 0), line


def _words(done: "subprocess.CompletedProcess[str]") -> str:
    """Return what Java says when it does not start, on one line."""
    noise = ("Picked up", "Error: Could not create", "Error: A fatal exception", "Error occurred")
    lines = (done.stderr + done.stdout).splitlines()
    told = [line.strip(" .") for line in lines if line.strip() and not line.startswith(noise)]
    return ". ".join(told) or f"it ends with code {done.returncode}"


def _advice() -> str:
    home = os.environ.get("JAVA_HOME")
    return f"JAVA_HOME={home} decides: correct or unset it. {ADVICE}" if home else ADVICE


if __name__ == "__main__":
    main()
