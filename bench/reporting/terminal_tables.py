"""The results as tables for the terminal."""

from rich.console import Group
from rich.table import Table
from rich.text import Text

from bench.reporting.results import Results
from bench.reporting.targets import target_results


def render(results: Results) -> Group:
    """Return a table for each part that was measured, and one for the targets."""
    tables = []
    if "contenders" in results:
        tables.append(_contenders(results))
    if "producer" in results:
        tables.append(_producer(results["producer"]))
    if "freshness" in results:
        tables.append(_freshness(results["freshness"]))
    return Group(*tables, _targets(results))


def _contenders(results: Results) -> Table:
    run = results["contenders_run"]
    table = Table(title=f"{run['messages']:,} messages, {run['rounds']} rounds")
    for name in ("contender", "messages/s", "slowest", "fastest", "MiB", "CPU s per million"):
        table.add_column(name, justify="left" if name == "contender" else "right")
    table.add_column("right")
    for name, each in results["contenders"].items():
        numbers = [each["msg_s"], *each["msg_s_spread"], each["peak_mib"]]
        table.add_row(
            name,
            *(f"{number:,}" for number in numbers),
            f"{each['cpu_s_per_million']:g}",
            _verdict(each),
        )
    return table


def _verdict(figures: Results) -> Text:
    if figures["counts_ok"]:
        return Text("yes", "green")
    return Text("; ".join(figures["wrong"]), "bold red")


def _producer(figures: Results) -> Table:
    table = Table(title="Producer", show_header=False)
    table.add_column()
    table.add_column(justify="right")
    for name, value in figures.items():
        table.add_row(name, f"{value:,}")
    return table


def _freshness(freshness: Results) -> Table:
    table = Table(title="From sending a sighting to its visible count")
    table.add_column("live messages/s")
    names = list(next(iter(freshness.values())))
    for name in names:
        table.add_column(name, justify="right")
    for rate, each in freshness.items():
        table.add_row(rate, *(_cell(each[name]) for name in names))
    return table


def _cell(value: float | bool) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    return f"{value:,}"


def _targets(results: Results) -> Table:
    table = Table("target", "measured", "wanted", "result", title="Targets")
    for each in target_results(results):
        table.add_row(each.what.replace("`", ""), each.measured, each.target, each.verdict)
    return table
