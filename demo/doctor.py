"""Whether this machine can run the demo, and what to do where it cannot.

Looks only at what is installed here: an image that carries one room is judged by that room's needs.
"""

import shutil
import sys
from dataclasses import dataclass
from enum import Enum
from importlib.metadata import version
from importlib.util import find_spec
from pathlib import Path

from rich.console import Console
from rich.table import Table

from contract.connections import open_admin
from contract.errors import UserError
from contract.settings import Settings
from contract.topics import topic_differences
from demo.stack.jars.checksums import expected_jars, jar_problems
from demo.stack.java import ADVICE, OLDEST, java_command, java_version
from demo.stack.ports import KAFKA_PORT, is_free

PYTHONS = ((3, 11), (3, 13))
MEMORY_GB = 4.0
DISK_GB = 5.0


class State(Enum):
    """How a finding reads."""

    WELL = "[green]well[/]"
    NOTE = "[yellow]note[/]"
    PROBLEM = "[bold red]problem[/]"


@dataclass(frozen=True)
class Finding:
    """One thing looked at: what was found, and what to do about it."""

    what: str
    state: State
    found: str
    advice: str = ""


def examine(settings: Settings) -> list[Finding]:
    """Look at everything that what is installed here needs."""
    findings = [_python(), _disk(settings), _crc32c()]
    if find_spec("psutil"):
        findings.append(_memory())
    if find_spec("pyspark"):
        findings += [_java(), _versions(), _jars(settings)]
    if find_spec("mirakuru"):
        findings += [_port("Kafka", KAFKA_PORT)]
        findings += [_port("dashboard", settings.dashboard_port)]
        findings += [_port("Spark UI", settings.spark_ui_port)]
    else:  # no Kafka of its own: a room by itself, as in an image
        findings += [_topics(settings), _device_locations(settings)]
    return findings


def require_health(settings: Settings, console: Console) -> None:
    """Print one line and what is worth knowing; UserError if the demo cannot run."""
    findings = examine(settings)
    problems = [each for each in findings if each.state is State.PROBLEM]
    if problems:
        lines = "\n".join(f"  {each.what}: {each.found}. {each.advice}" for each in problems)
        raise UserError(f"This machine cannot run the demo yet (`nest doctor` shows all):\n{lines}")
    console.print(f"Doctor: {len(findings)} things looked at, no problem.", highlight=False)
    for each in findings:
        if each.state is State.NOTE:
            console.print(f"  {each.what}: {each.found}. {each.advice}", highlight=False)


def as_table(findings: list[Finding]) -> Table:
    """Return the findings for a terminal."""
    table = Table()
    for column in ("what", "state", "found", "what to do"):
        table.add_column(column)
    for each in findings:
        table.add_row(each.what, each.state.value, each.found, each.advice)
    return table


def _python() -> Finding:
    oldest, newest = PYTHONS
    found = ".".join(map(str, sys.version_info[:3]))
    if oldest <= sys.version_info[:2] <= newest:
        return Finding("Python", State.WELL, found)
    wanted = f"{oldest[0]}.{oldest[1]} to {newest[0]}.{newest[1]}"
    return Finding("Python", State.PROBLEM, found, f"Make the environment with Python {wanted}.")


def _disk(settings: Settings) -> Finding:
    folder = settings.state.resolve()
    while not folder.exists():
        folder = folder.parent
    free = shutil.disk_usage(folder).free / 1e9
    found = f"{free:.1f} GB free in {folder}"
    if free >= DISK_GB:
        return Finding("disk", State.WELL, found)
    return Finding(
        "disk",
        State.PROBLEM,
        found,
        f"Make room, to {DISK_GB:g} GB, or set NEST_STATE, NEST_LAKE and NEST_CHECKPOINTS to "
        "another disk. `nest reset` removes what earlier runs left.",
    )


def _crc32c() -> Finding:
    if find_spec("crc32c"):
        return Finding("crc32c", State.WELL, version("crc32c"))
    advice = "Install it with pip: without it kafka-python is ten times slower."
    return Finding("crc32c", State.PROBLEM, "not installed", advice)


def _memory() -> Finding:
    import psutil

    memory = psutil.virtual_memory()
    found = f"{memory.available / 1e9:.1f} of {memory.total / 1e9:.1f} GB free"
    if memory.available / 1e9 >= MEMORY_GB:
        return Finding("memory", State.WELL, found)
    # Short of it the demo may still run, from swap or with what others give back.
    state = State.PROBLEM if memory.total / 1e9 < MEMORY_GB * 0.9 else State.NOTE
    return Finding("memory", state, found, f"The demo takes up to {MEMORY_GB:g} GB: close others.")


def _java() -> Finding:
    try:
        command = java_command()
    except UserError as error:
        return Finding("Java", State.PROBLEM, "none", str(error))
    number, line = java_version(command)
    found = f"{line} ({command})"
    if number >= OLDEST:
        return Finding("Java", State.WELL, found)
    return Finding("Java", State.PROBLEM, found, f"{ADVICE} JAVA_HOME decides if it is set.")


def _versions() -> Finding:
    """Judge whether Spark, Delta and their jars were built for each other."""
    spark, delta = version("pyspark"), version("delta-spark")
    short = ".".join(spark.split(".")[:2])
    wanted = {
        f"spark/delta-spark_{short}_2.13-{delta}.jar",
        f"spark/spark-sql-kafka-0-10_2.13-{spark}.jar",
    }
    found = f"pyspark {spark}, delta-spark {delta}, pandas {version('pandas')}"
    if wanted <= expected_jars().keys() and int(version("pandas").split(".")[0]) < 3:
        return Finding("versions", State.WELL, found)
    return Finding(
        "versions",
        State.PROBLEM,
        f"{found}: not what the jars were built for",
        "Run `make setup`, which installs what requirements/all.txt pins.",
    )


def _jars(settings: Settings) -> Finding:
    folder = settings.state / "jars"
    confs = ("spark", "broker") if find_spec("mirakuru") else ("spark",)
    problems = jar_problems(folder, confs)
    if not problems:
        return Finding("jars", State.WELL, f"those in {folder} are as they should be")
    first = next(iter(problems.items()))
    found = f"{len(problems)} of them wrong, the first {first[0]}: {first[1]}"
    return Finding("jars", State.PROBLEM, found, "`nest jars` fetches them.")


def _topics(settings: Settings) -> Finding:
    """Judge Kafka and the topics, changing nothing."""
    servers = settings.bootstrap_servers
    try:
        with open_admin(servers) as admin:
            differences = topic_differences(admin)
    except UserError as error:
        return Finding("Kafka", State.PROBLEM, "no answer", str(error))
    if differences:
        advice = "`nest topics` creates what is missing and names what differs."
        return Finding("Kafka", State.PROBLEM, str(differences[0]), advice)
    return Finding("Kafka", State.WELL, f"the topics at {servers} are as they should be")


def _device_locations(settings: Settings) -> Finding:
    path = settings.device_locations
    if "://" in path or Path(path).is_file():
        return Finding("device_locations", State.WELL, path)
    advice = "Set NEST_DEVICE_LOCATIONS, or make it with `nest device-locations`."
    return Finding("device_locations", State.PROBLEM, f"{path} is not there", advice)


def _port(what: str, port: int) -> Finding:
    if is_free(port):
        return Finding(f"port {port}", State.WELL, f"free for {what}")
    advice = f"A free one is taken for {what} instead."
    return Finding(f"port {port}", State.NOTE, "taken", advice)
