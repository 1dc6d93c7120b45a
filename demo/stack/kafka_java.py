"""Kafka's programs on this machine: how Java starts them, and the tool that formats a storage."""

import fcntl
import tempfile
from enum import StrEnum
from pathlib import Path

from contract.class_sharing import class_archive_path, options_to_use_archive
from contract.errors import UserError
from contract.file_lock import is_file_locked
from contract.java import QUICK_COMPILER_OPTIONS, quoted, require_java
from contract.run_to_end import run_to_end
from contract.settings import Settings
from demo.stack.private_files import OWNER_ONLY

_LOGGING = Path(__file__).with_name("kafka_logging.xml")
SERVER = "kafka.Kafka"


class KafkaFolderFile(StrEnum):
    """What the embedded Kafka has in its folder."""

    LOG = "log"
    """The storage itself, a folder."""
    PROPERTIES = "server.properties"
    USERS = "users"
    """With which credentials the storage was made; not there if it is open."""
    SEED = "seed"
    """Of whose homes the messages are."""


def kafka_java(settings: Settings, heap: str, asked_by: str) -> list[str]:
    """Return the command that runs a class of Kafka, up to the name of the class.

    Raises UserError when there is no Java with so much heap, naming who asks for it, and when Java
    could not find the jars in their folder.
    """
    require_usable_path(settings.state)
    return [
        require_java(heap, asked_by),
        f"-Xmx{heap}",
        "-XX:+UseSerialGC",
        *QUICK_COMPILER_OPTIONS,
        *options_to_use_archive(kafka_class_archive(settings)),
        "-Djava.awt.headless=true",
        f"-Dlog4j2.configurationFile={_LOGGING}",
        *("-cp", f"{_jars(settings)}/*"),
    ]


def kafka_class_archive(settings: Settings) -> Path:
    """Return where the archive of Kafka's classes is, or would be (`nest jars --share-classes`)."""
    return class_archive_path(_jars(settings))


def require_kafka_jars(settings: Settings) -> None:
    """Raise UserError if Kafka's jars have not been fetched."""
    if not any(_jars(settings).glob("*.jar")):
        raise UserError(f"Kafka's jars are not in {_jars(settings)}. `nest jars` fetches them.")


def require_usable_path(folder: Path) -> None:
    """Raise UserError if Java or Kafka would take a folder's path for two."""
    if found := set(",:") & set(str(folder.resolve())):
        raise UserError(
            f"Kafka and Java read a path with {' or '.join(map(repr, sorted(found)))} as two: "
            f"{folder.resolve()} cannot hold Kafka. Use another folder (NEST_STATE)."
        )


def as_java_property(text: str) -> str:
    """Return a text as a value in a file of Java's properties, which are in Latin-1."""
    utf_16 = text.replace("\\", "\\\\").encode("utf-16-be")
    units = (int.from_bytes(utf_16[at : at + 2]) for at in range(0, len(utf_16), 2))
    return "".join(chr(unit) if unit < 128 else f"\\u{unit:04x}" for unit in units)


def is_formatted(log: Path) -> bool:
    """Tell whether a folder is a storage of Kafka."""
    return (log / "meta.properties").exists()


def is_storage_in_use(log: Path) -> bool:
    """Tell whether a running Kafka has its storage in a folder; it keeps a lock on a file of it."""
    return is_file_locked(log / ".lock", fcntl.lockf)


def format_storage(java: list[str], properties: Path, cluster_id: str, users: str = "") -> None:
    """Format the storage that a broker's properties describe; one that is formatted stays.

    ``users`` are further arguments of the tool, which have passwords in them. Raises UserError.
    """
    tool = ["kafka.tools.StorageTool", "format", "--ignore-formatted", "-t", cluster_id]
    tool += ["-c", str(properties)]
    # In a file, and not on the command line, which every user of the machine can read.
    with tempfile.NamedTemporaryFile("w", dir=properties.parent, prefix="format-") as arguments:
        arguments.write("\n".join([*map(quoted, tool), users]))
        arguments.flush()
        run_to_end(
            [*java, f"@{arguments.name}"],
            f"Kafka's storage in {properties.parent} could not be formatted",
            umask=OWNER_ONLY,
        )


def _jars(settings: Settings) -> Path:
    return settings.state.resolve() / "jars" / "broker"
