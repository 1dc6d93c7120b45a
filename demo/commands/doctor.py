"""`nest doctor`: whether this machine can run the demo, and what to do where it cannot.

It examines only what is installed here: an image with one room is judged by what that room needs.
"""

import os
import shutil
import sys
from importlib.metadata import version
from importlib.util import find_spec
from pathlib import Path

from rich.console import Console

from contract.errors import UserError
from contract.java import ADVICE, OLDEST, java_command, java_version, require_java
from contract.kafka.connections import open_admin
from contract.lake import is_uri
from contract.settings import Settings, misnamed_settings
from contract.topic_admin import topic_differences, wanted_topics
from demo.commands.doctor_finding import Finding, Severity
from demo.stack.jars.lock import DEMO, jar_problems, locked_jars
from demo.stack.ports import KAFKA_PORT, LOOPBACK, is_free, require_own_address, web_address

PYTHONS = ((3, 11), (3, 13))
MEMORY_GB = 4.0
DISK_GB = 5.0


def examine(settings: Settings, *, beside_demo: bool = False) -> list[Finding]:
    """Examine everything that the installed packages need.

    ``beside_demo`` says that a demo runs in this folder, which has ports already.
    """
    findings = [_python(), _disk(settings), _crc32c(), _names_of_settings()]
    if find_spec("psutil"):
        findings.append(_memory())
    if find_spec("pyspark"):
        findings += [_java(settings), _versions(), _jars(settings)]
    if beside_demo:
        address = web_address(settings.dashboard_port, settings.bind_address)
        findings.append(Finding("demo", Severity.OK, f"it runs in this folder: {address}"))
    elif find_spec("mirakuru"):
        findings += [_port("Kafka", KAFKA_PORT, LOOPBACK), *_ports_of_pages(settings)]
    else:  # no embedded Kafka: one room alone, as in an image
        findings += [_topics(settings), _device_locations(settings)]
    return findings


def require_fit_machine(settings: Settings, console: Console) -> None:
    """Print one line and the notes; UserError if the demo cannot run."""
    findings = examine(settings)
    problems = [each for each in findings if each.severity is Severity.PROBLEM]
    if problems:
        lines = "\n".join(f"  {each.what}: {each.found}. {each.advice}" for each in problems)
        raise UserError(f"This machine cannot run the demo yet (`nest doctor` shows all):\n{lines}")
    console.print(f"Doctor: {len(findings)} things examined, no problem.")
    for each in findings:
        if each.severity is Severity.NOTE:
            console.print(f"  {each.what}: {each.found}. {each.advice}")


def _python() -> Finding:
    oldest, newest = PYTHONS
    found = ".".join(map(str, sys.version_info[:3]))
    if oldest <= sys.version_info[:2] <= newest:
        return Finding("Python", Severity.OK, found)
    wanted = f"{oldest[0]}.{oldest[1]} to {newest[0]}.{newest[1]}"
    return Finding("Python", Severity.PROBLEM, found, f"Make the environment with Python {wanted}.")


def _disk(settings: Settings) -> Finding:
    folder = settings.state.resolve()
    while not folder.exists():
        folder = folder.parent
    free = shutil.disk_usage(folder).free / 1e9
    found = f"{free:.1f} GB free in {folder}"
    if free >= DISK_GB:
        return Finding("disk", Severity.OK, found)
    return Finding(
        "disk",
        Severity.PROBLEM,
        found,
        f"Make room, to {DISK_GB:g} GB, or set NEST_STATE, NEST_LAKE and NEST_CHECKPOINTS to "
        "another disk. `nest reset` removes what earlier runs left.",
    )


def _crc32c() -> Finding:
    if find_spec("crc32c"):
        return Finding("crc32c", Severity.OK, version("crc32c"))
    advice = "Install it with pip: without it kafka-python is ten times slower."
    return Finding("crc32c", Severity.PROBLEM, "not installed", advice)


def _names_of_settings() -> Finding:
    """Examine whether each variable that looks like a setting is one: others have no effect."""
    misnamed = misnamed_settings()
    if not misnamed:
        given = sum(name.startswith("NEST_") for name in os.environ)
        return Finding("settings", Severity.OK, f"{given} given")
    meant = [each for each in misnamed.values() if each]
    hint = f"Did you mean {' and '.join(meant)}? " if meant else ""
    return Finding(
        "settings",
        Severity.NOTE,
        f"{', '.join(misnamed)}: no setting has that name, so it has no effect",
        f"{hint}docs/settings.md lists them all.",
    )


def _memory() -> Finding:
    import psutil

    memory = psutil.virtual_memory()
    found = f"{memory.available / 1e9:.1f} of {memory.total / 1e9:.1f} GB free"
    if memory.available / 1e9 >= MEMORY_GB:
        return Finding("memory", Severity.OK, found)
    # With less the demo may still run, from swap or from what other programs free.
    severity = Severity.PROBLEM if memory.total / 1e9 < MEMORY_GB * 0.9 else Severity.NOTE
    advice = f"The demo takes up to {MEMORY_GB:g} GB. Close other programs."
    return Finding("memory", severity, found, advice)


def _java(settings: Settings) -> Finding:
    try:
        command = java_command()
        number, line = java_version(command)
    except UserError as error:
        return Finding("Java", Severity.PROBLEM, "none", str(error))
    found = f"{line} ({command})"
    if number < OLDEST:
        return Finding("Java", Severity.PROBLEM, found, f"{ADVICE} JAVA_HOME decides if it is set.")
    try:
        require_java(settings.spark_memory, "NEST_SPARK_MEMORY")
        require_java(settings.kafka_memory, "NEST_KAFKA_MEMORY")
    except UserError as error:
        return Finding("Java", Severity.PROBLEM, found, str(error))
    return Finding("Java", Severity.OK, found)


def _versions() -> Finding:
    """Examine whether Spark, Delta and their jars were built for each other."""
    spark, delta = version("pyspark"), version("delta-spark")
    short = ".".join(spark.split(".")[:2])
    wanted = {
        f"spark/delta-spark_{short}_2.13-{delta}.jar",
        f"spark/spark-sql-kafka-0-10_2.13-{spark}.jar",
    }
    found = f"pyspark {spark}, delta-spark {delta}, pandas {version('pandas')}"
    if wanted <= {jar.path for jar in locked_jars()} and int(version("pandas").split(".")[0]) < 3:
        return Finding("versions", Severity.OK, found)
    return Finding(
        "versions",
        Severity.PROBLEM,
        f"{found}: not what the jars were built for",
        "Run `make setup`, which installs what requirements/all.txt pins.",
    )


def _jars(settings: Settings) -> Finding:
    folder = settings.state / "jars"
    sets = DEMO if find_spec("mirakuru") else ("spark",)
    problems = jar_problems(folder, sets)
    if not problems:
        return Finding("jars", Severity.OK, f"all in {folder} are verified")
    first = next(iter(problems.items()))
    found = f"{len(problems)} of them missing or damaged, the first {first[0]}: {first[1]}"
    advice = "`nest jars` fetches them."
    if not folder.exists() and not Path("pyproject.toml").exists():
        advice = "Go to the project's folder; or fetch them for this one with `nest jars`."
    return Finding("jars", Severity.PROBLEM, found, advice)


def _topics(settings: Settings) -> Finding:
    """Examine Kafka and the topics without changing anything."""
    kafka = settings.kafka
    try:
        with open_admin(kafka) as admin:
            differences = topic_differences(admin, wanted_topics(settings))
    except UserError as error:
        return Finding("Kafka", Severity.PROBLEM, "no answer", str(error))
    if differences:
        advice = "`nest topics` creates what is missing and names what differs."
        return Finding("Kafka", Severity.PROBLEM, str(differences[0]), advice)
    return Finding("Kafka", Severity.OK, f"the topics at {kafka.bootstrap_servers} are verified")


def _device_locations(settings: Settings) -> Finding:
    path = settings.device_locations
    if is_uri(path) or Path(path).is_file():
        return Finding("device_locations", Severity.OK, path)
    advice = "Set NEST_DEVICE_LOCATIONS, or make it with `nest device-locations`."
    return Finding("device_locations", Severity.PROBLEM, f"{path} does not exist", advice)


def _ports_of_pages(settings: Settings) -> list[Finding]:
    """Examine NEST_BIND_ADDRESS and, if something can listen there, the ports."""
    address = settings.bind_address
    try:
        require_own_address(address)
    except UserError as error:
        return [Finding("bind address", Severity.PROBLEM, address, str(error))]
    return [
        _port("dashboard", settings.dashboard_port, address),
        _port("Spark UI", settings.spark_ui_port, address),
        _port("metrics", settings.metrics_port, address),
    ]


def _port(what: str, port: int, address: str) -> Finding:
    if is_free(port, address):
        return Finding(f"port {port}", Severity.OK, f"free for {what}")
    advice = f"`nest up` takes another port for {what}."
    return Finding(f"port {port}", Severity.NOTE, "taken", advice)
