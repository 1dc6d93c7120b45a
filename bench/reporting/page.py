"""The generated part of docs/performance.md: targets and figures as Markdown tables."""

from pathlib import Path

from bench.reporting.markdown_table import markdown_table
from bench.reporting.results import Results
from bench.reporting.targets import target_results

PAGE = Path(__file__).parents[2] / "docs" / "performance.md"

_BEGIN, _END = "<!-- figures: written by python -m bench -->", "<!-- end of figures -->"
_CHART = "![Messages per second of each contender](../bench/results/latest.svg)"
_JSON = "The same figures as JSON: [bench/results/latest.json](../bench/results/latest.json)."


def fill_page(results: Results, page: Path = PAGE) -> None:
    """Replace what is between the markers of the page with the results."""
    text = page.read_text()
    head, rest = text.split(_BEGIN, 1)
    _, tail = rest.split(_END, 1)
    page.write_text(f"{head}{_BEGIN}\n\n{as_markdown(results)}\n\n{_END}{tail}")


def as_markdown(results: Results) -> str:
    """Return the results as Markdown: the targets first, then a section for each part."""
    parts = [_targets(results), _machine(results["machine"])]
    if "contenders" in results:
        parts.append(_contenders(results["contenders"], results["contenders_run"]))
    if "peers" in results:
        parts.append(_peers(results["peers"]))
    if "producer" in results:
        parts.append(_producer(results["producer"]))
    if "freshness" in results:
        parts.append(_freshness(results["freshness"]))
    if "idle" in results:
        parts.append(_idle(results["idle"]))
    if "growth" in results:
        parts.append(_growth(results["growth"]))
    return "\n\n".join([*map(str.rstrip, parts), _JSON])


def _targets(results: Results) -> str:
    found = target_results(results)
    rows = [
        (
            each.what,
            each.measured,
            each.target,
            "**missed**" if each.is_met is False else each.verdict,
        )
        for each in found
    ]
    met = sum(each.is_met is True for each in found)
    return "\n\n".join(
        [
            f"{met} of {len(found)} targets are met.",
            markdown_table(("what", "measured", "target", "result"), rows),
        ]
    )


def _machine(machine: Results) -> str:
    return (
        f"Measured on {machine['processor']}, {machine['cores']} cores, "
        f"{machine['memory_gib']} GiB of memory, with Python {machine['python']} and "
        f"{machine['java']}."
    )


def _contenders(contenders: Results, run: Results) -> str:
    rows = [_figures(name, each) for name, each in contenders.items()]
    return "\n\n".join(
        [
            "### Contenders",
            f"{run['messages']:,} messages of {run['message_bytes']:,} bytes on average, "
            f"{run['rounds']} timed rounds, {run['after']['at'][:10]}. {_load(run)}",
            markdown_table(_FIGURES, rows).rstrip(),
            _CHART,
        ]
    )


def _peers(peers: Results) -> str:
    rows = [
        (*_figures(name, each), f"{each['cold_s']:g}", f"{each['after_kill']}")
        for name, each in peers["contenders"].items()
    ]
    return "\n\n".join(
        [
            "### Peers, and a kill",
            f"{peers['messages']:,} messages, timed rounds: {peers['rounds']}, "
            f"{peers['after']['at'][:10]}. {_load(peers)}",
            markdown_table((*_FIGURES, "whole process, cold, s", "after a kill"), rows),
        ]
    )


_FIGURES = (
    "contender",
    "messages/s",
    "slowest to fastest round",
    "memory, MiB",
    "CPU seconds per million messages",
    "right",
)


def _figures(name: str, measured: Results) -> tuple[str, ...]:
    low, high = measured["msg_s_spread"]
    return (
        f"`{name}`",
        f"{measured['msg_s']:,}",
        f"{low:,} to {high:,}",
        f"{measured['peak_mib']:,}",
        f"{measured['cpu_s_per_million']:g}",
        "yes" if measured["counts_ok"] else "**WRONG**",
    )


def _load(run: Results) -> str:
    before, after = (run[side]["load"][0] for side in ("before", "after"))
    return f"The load average was {before:g} before the run and {after:g} after it."


def _producer(producer: Results) -> str:
    rows = [
        ("`nest produce`", f"{producer['msg_s']:,}", f"{producer['mb_s']:g}"),
        ("the same without the package `crc32c`", f"{producer['without_crc32c']:,}", ""),
        ("Faker for every field", f"{producer['pure_faker']:,}", ""),
    ]
    return f"### Producer\n\n{markdown_table(('producer', 'messages/s', 'MB/s'), rows)}"


def _freshness(freshness: Results) -> str:
    columns = (
        "messages/s asked for",
        "messages/s reached",
        "p50, s",
        "p95, s",
        "p99, s",
        "in `nest-sightings`: p50, ms",
        "p99, ms",
        "cores used",
        "memory, MiB",
    )
    rows = [
        (
            f"{float(rate):,g}",
            f"{each['msg_s']:,}",
            f"{each['p50_s']:.2f}",
            f"{each['p95_s']:.2f}",
            f"{each['p99_s']:.2f}",
            _milliseconds(each.get("sighting_p50_s")),
            _milliseconds(each.get("sighting_p99_s")),
            f"{each['cores']:g}",
            f"{each['peak_mib']:,}",
        )
        for rate, each in freshness.items()
    ]
    return f"### Freshness\n\n{markdown_table(columns, rows)}"


def _idle(idle: Results) -> str:
    rows = [
        (name, f"{idle['cores'][name]:g}", f"{memory:,}")
        for name, memory in idle["memory_mib"].items()
    ]
    delays = idle["counted_after"]
    return (
        "### Idle: the default rate, and no browser open\n\n"
        f"The demo at its default rate, {idle['minutes_before']:g} minutes after the first report, "
        f"{idle['at'][:10]}. Together its services keep "
        f"{idle['cores']['all']:g} cores busy. A sighting is counted after {delays['p50_s']:.2f} s "
        f"(p50) and {delays['p99_s']:.2f} s (p99).\n\n"
        f"{markdown_table(('service', 'cores used', 'memory, MiB'), rows)}"
    )


def _milliseconds(seconds: float | None) -> str:
    return "" if seconds is None else f"{seconds * 1000:.1f}"


def _growth(growth: Results) -> str:
    rows = []
    for part, what, unit in (
        ("messages", "messages", "µs of CPU time per message, `both`"),
        ("devices", "devices", "µs of CPU time per message, `stats`"),
        ("keys", "counts", "s to read all counts"),
    ):
        first = next(iter(growth[part].values()))
        rows += [
            (f"{int(number):,} {what}", f"{cost:g} {unit}", f"{cost / first:.2f}")
            for number, cost in growth[part].items()
        ]
    return f"### Growth\n\n{markdown_table(('how many', 'cost', 'relative to the smallest'), rows)}"
