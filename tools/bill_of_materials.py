"""Write the bill of materials of what is pinned, CycloneDX 1.6 as JSON; `make sbom`.

cyclonedx-bom describes the pinned Python packages; the jars are added with their checksums.
"""

import json
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from contract.errors import UserError
from contract.run_to_end import run_to_end
from demo.stack.jars.lock import Jar, locked_jars

ROOT = Path(__file__).parent.parent


def main() -> None:
    """Write the bill to the file that is named."""
    file = Path(sys.argv[1])
    bill = with_jars(python_bill(), locked_jars())
    file.write_text(json.dumps(bill, indent=2) + "\n")
    sys.stdout.write(f"{file}: {len(bill['components'])} components.\n")


def python_bill() -> dict[str, Any]:
    """Return the bill of the packages that requirements/all.txt pins."""
    command = [sys.executable, "-m", "cyclonedx_py", "requirements"]
    options = ["--pyproject", str(ROOT / "pyproject.toml"), "--spec-version", "1.6"]
    pinned = ["--output-reproducible", str(ROOT / "requirements" / "all.txt")]
    printed = run_to_end([*command, *options, *pinned], "cyclonedx-bom failed")
    bill: dict[str, Any] = json.loads(printed)
    return bill


def with_jars(bill: dict[str, Any], jars: Iterable[Jar]) -> dict[str, Any]:
    """Return the bill with the jars among its components."""
    components = [
        {
            "type": "library",
            "bom-ref": f"{jar.purl}#{jar.path}",
            "group": jar.group,
            "name": jar.artifact,
            "version": jar.version,
            "purl": jar.purl,
            "hashes": [{"alg": "SHA-256", "content": jar.sha256}],
            "properties": [{"name": "nest:path", "value": jar.path}],
        }
        for jar in jars
    ]
    return {**bill, "components": [*bill.get("components", ()), *components]}


if __name__ == "__main__":
    try:
        main()
    except UserError as error:
        raise SystemExit(str(error)) from None
