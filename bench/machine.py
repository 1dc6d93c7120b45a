"""The machine that the figures were measured on, and its load."""

import os
import platform
import subprocess
from datetime import UTC, datetime
from importlib.metadata import version
from pathlib import Path

import psutil

from contract.java import java_command, java_version

_PACKAGES = ("pyspark", "delta-spark", "confluent-kafka", "duckdb", "deltalake", "pyarrow")


def describe_machine() -> dict[str, object]:
    """Describe the machine and the versions of the measured packages."""
    return {
        "processor": _processor(),
        "cores": len(psutil.Process().cpu_affinity() or []) or os.cpu_count(),
        "memory_gib": round(psutil.virtual_memory().total / 2**30, 1),
        "system": f"{platform.system()} {platform.release()}",
        "python": platform.python_version(),
        "java": java_version(java_command())[1],
        "commit": _commit(),
        "packages": {name: version(name) for name in _PACKAGES},
    }


def time_and_load() -> dict[str, object]:
    """Return the current time (UTC) and the load averages of the last 1, 5 and 15 minutes."""
    load = [round(each, 2) for each in psutil.getloadavg()]
    return {"at": datetime.now(UTC).isoformat(timespec="seconds"), "load": load}


def _processor() -> str:
    info = Path("/proc/cpuinfo")  # Linux only
    for line in info.read_text().splitlines() if info.exists() else ():
        if line.startswith("model name"):
            return line.split(":", 1)[1].strip()
    return platform.processor() or platform.machine()


def _commit() -> str:
    completed = subprocess.run(
        ["git", "describe", "--always", "--dirty"], check=False, capture_output=True, text=True
    )
    return completed.stdout.strip() or "unknown"
