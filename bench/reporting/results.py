"""The kept results: bench/results/latest.json."""

import json
from pathlib import Path
from typing import Any

LATEST = Path(__file__).parents[1] / "results" / "latest.json"

Results = dict[str, Any]


def merge(before: Results, measured: Results) -> Results:
    """Return the new results, with the parts that were not measured now taken from ``before``.

    Nothing is taken from a run on another machine.
    """
    is_same_machine = all(
        before.get("machine", {}).get(name) == measured["machine"][name]
        for name in ("processor", "cores")
    )
    return {**(before if is_same_machine else {}), **measured}


def save(measured: Results, path: Path = LATEST) -> Results:
    """Merge new results into the kept ones, write them, and return them."""
    before = json.loads(path.read_text()) if path.exists() else {}
    results = merge(before, measured)
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(results, indent=2) + "\n")
    return results
