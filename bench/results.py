"""Keep the figures: bench/results/latest.json, and the tables of docs/performance.md from it."""

import json
from pathlib import Path
from typing import Any

from bench.figures import RATIO_TARGETS, ratio_name

ROOT = Path(__file__).parent.parent
LATEST = ROOT / "bench" / "results" / "latest.json"
PAGE = ROOT / "docs" / "performance.md"

_BEGIN, _END = "<!-- figures: written by python -m bench -->", "<!-- end of figures -->"
_LINKS = """\
As JSON: [bench/results/latest.json](../bench/results/latest.json).

![Messages a second of each contender](../bench/results/latest.svg)
"""

Results = dict[str, Any]


def merge(before: Results, measured: Results) -> Results:
    """Return what was measured, with the parts that were not from before, if on the same machine.

    Figures of two machines are never mixed.
    """
    same = all(
        before.get("machine", {}).get(name) == measured["machine"][name]
        for name in ("processor", "cores")
    )
    return {**(before if same else {}), **measured}


def save(measured: Results, path: Path = LATEST) -> Results:
    """Write the results, and return them with those that were there before."""
    before = json.loads(path.read_text()) if path.exists() else {}
    results = merge(before, measured)
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(results, indent=2) + "\n")
    return results


def fill_page(results: Results, page: Path = PAGE) -> None:
    """Put the figures between the marks of the page."""
    text = page.read_text()
    head, rest = text.split(_BEGIN, 1)
    _, tail = rest.split(_END, 1)
    page.write_text(f"{head}{_BEGIN}\n\n{as_markdown(results)}\n{_END}{tail}")


def as_markdown(results: Results) -> str:
    """Write the results as Markdown tables."""
    machine = results["machine"]
    lines = [
        f"{machine['processor']}, {machine['cores']} cores, {machine['memory_gib']} GiB; "
        f"Python {machine['python']}, {machine['java']}.",
        "",
    ]
    if "contenders" in results:
        lines += _contenders(results["contenders"], results["contenders_run"])
        targets = {ratio_name(*pair): least for pair, least in RATIO_TARGETS.items()}
        lines += ["| ratio | measured | target |", "| --- | --- | --- |"]
        lines += [
            f"| {name} | {value:.2f} | at least {targets[name]:g} |"
            for name, value in results["ratios"].items()
        ]
        lines.append("")
    if "producer" in results:
        each = results["producer"]
        lines += [
            f"Producer: {each['msg_s']:,} messages/s, {each['mb_s']:g} MB/s; without crc32c "
            f"{each['without_crc32c']:,}, with every field from Faker {each['pure_faker']:,}.",
            "",
        ]
    if "freshness" in results:
        lines += _freshness(results["freshness"])
    if "growth" in results:
        lines += _growth(results["growth"])
    lines.append(_LINKS)
    return "\n".join(lines)


def _contenders(contenders: Results, run: Results) -> list[str]:
    load = ", ".join(f"{run[side]['load'][0]:g}" for side in ("before", "after"))
    lines = [
        f"{run['messages']:,} messages of {run['message_bytes']:,} bytes, {run['rounds']} rounds; "
        f"{run['after']['at'][:10]}, load before and after {load}.",
        "",
        "| contender | messages/s | slowest to fastest round | memory, MiB "
        "| processor seconds a million | right |",
        "| --- | --- | --- | --- | --- | --- |",
    ]
    for name, each in contenders.items():
        low, high = each["msg_s_spread"]
        lines.append(
            f"| {name} | {each['msg_s']:,} | {low:,} to {high:,} | {each['peak_mib']:,} "
            f"| {each['cpu_s_per_million']:g} | {'yes' if each['counts_ok'] else 'WRONG'} |"
        )
    return [*lines, ""]


def _growth(growth: Results) -> list[str]:
    lines = ["| how many | cost | grows from the first by |", "| --- | --- | --- |"]
    for what, unit in (
        ("messages", "µs of processor a message, both queries"),
        ("devices", "µs of processor a message, counts alone"),
    ):
        first = next(iter(growth[what].values()))
        lines += [
            f"| {int(count):,} {what} | {cost:g} {unit} | {cost / first - 1:+.0%} |"
            for count, cost in growth[what].items()
        ]
    lines += [
        f"| {int(count):,} counts | {seconds:g} s to read them all | |"
        for count, seconds in growth["keys"].items()
    ]
    return [*lines, ""]


def _freshness(freshness: Results) -> list[str]:
    lines = [
        "| live messages/s | p50, s | p95, s | p99, s | reached | cores | memory, MiB |",
        "| --- | --- | --- | --- | --- | --- | --- |",
    ]
    lines += [
        f"| {rate} | {each['p50_s']:.2f} | {each['p95_s']:.2f} | {each['p99_s']:.2f} "
        f"| {each['msg_s']:,} | {each['cores']:g} | {each['peak_mib']:,} |"
        for rate, each in freshness.items()
    ]
    return [*lines, ""]
