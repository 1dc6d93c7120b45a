"""Report known weaknesses of the pinned packages and jars; `make audit`.

The report is Markdown on standard output. It is a report and no gate: the exit code is 0 also where
there are weaknesses, and where a registry of advisories could not be asked, which it says then.
"""

import json
import os
import subprocess
import sys
import urllib.request
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from bench.reporting.markdown_table import markdown_table
from demo.stack.jars.lock import Jar, locked_jars

REQUIREMENTS = Path(__file__).parent.parent / "requirements" / "all.txt"
ADVISORIES = "https://api.osv.dev/v1/querybatch"
_TIMEOUT_S = 60


def main() -> None:
    """Print the report."""
    for line in (*python_report(REQUIREMENTS), *jar_report(locked_jars(), ADVISORIES)):
        sys.stdout.write(f"{line}\n")


def python_report(requirements: Path) -> Iterator[str]:
    """Yield what pip-audit knows of the packages in a lock file."""
    yield f"## Python packages of {requirements.name}"
    yield ""
    command = [sys.executable, "-m", "pip_audit", "--requirement", str(requirements)]
    options = ["--disable-pip", "--format", "json", "--progress-spinner", "off"]
    try:
        done = subprocess.run(
            [*command, *options],
            capture_output=True,
            text=True,
            check=False,
            timeout=5 * _TIMEOUT_S,
            env={**os.environ, "PYTHONWARNINGS": "ignore"},
        )
        packages = json.loads(done.stdout)["dependencies"]
    except (subprocess.TimeoutExpired, ValueError, KeyError):
        yield "NOT EXAMINED: the registry of advisories could not be asked."
        yield ""
        return
    rows = [
        (each["name"], each["version"], found["id"], ", ".join(found["fix_versions"]) or "none yet")
        for each in packages
        for found in each.get("vulns", ())
    ]
    skipped = sum("skip_reason" in each for each in packages)
    examined = len(packages) - skipped
    yield f"{examined} packages, {len(rows)} known weaknesses; {skipped} could not be examined."
    yield from _table(("package", "version", "advisory", "corrected in"), rows)


def jar_report(jars: Sequence[Jar], address: str) -> Iterator[str]:
    """Yield the jars by version, each with the advisories that OSV knows at an address."""
    yield "## Jars of jars.lock"
    yield ""
    try:
        advisories = _advisories(jars, address)
        known = sum(map(len, advisories))
        yield f"{len(jars)} jars, {known} known weaknesses."
    except (OSError, ValueError, KeyError) as error:
        advisories = [["not examined"]] * len(jars)
        yield f"NOT EXAMINED: the registry of advisories could not be asked ({error})."
    rows = [
        (f"{jar.group}:{jar.artifact}", jar.version, jar.set, ", ".join(found))
        for jar, found in zip(jars, advisories, strict=True)
    ]
    yield from _table(("jar", "version", "for", "advisories"), rows)


def _advisories(jars: Sequence[Jar], address: str) -> list[list[str]]:
    """Return the advisories of each jar by id."""
    queries = [{"package": {"purl": jar.purl}} for jar in jars]
    request = urllib.request.Request(  # noqa: S310 - an address of ours
        address,
        json.dumps({"queries": queries}).encode(),
        {"Content-Type": "application/json"},
    )
    with urllib.request.urlopen(request, timeout=_TIMEOUT_S) as response:  # noqa: S310
        results: list[dict[str, Any]] = json.load(response)["results"]
    return [[found["id"] for found in each.get("vulns", ())] for each in results]


def _table(heading: tuple[str, ...], rows: Sequence[tuple[str, ...]]) -> Iterator[str]:
    yield ""
    if rows:
        yield from markdown_table(heading, rows).splitlines()
        yield ""


if __name__ == "__main__":
    main()
