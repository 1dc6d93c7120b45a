"""Settings that are more than text: each is checked, and its error says what to write."""

import errno
import json
import os
import re
from ipaddress import ip_address
from pathlib import Path
from typing import Annotated

from pydantic import AfterValidator, BeforeValidator

from contract.kafka.options import parse_options
from contract.topics import NEST_LOGS

_SERVER = re.compile(r"(\[[0-9a-fA-F:]+\]|[^\s:,\[\]]+):(\d{1,5})")
_HOST = re.compile(r"[A-Za-z0-9_]([A-Za-z0-9_.-]*[A-Za-z0-9_])?")
_ENDPOINT = re.compile(r"https?://(\[[0-9a-fA-F:]+\]|[^\s:/?#@\[\]]+)(:\d{1,5})?/?")
_MEMORY = re.compile(r"[1-9]\d*[kmgt]", re.IGNORECASE)
_FILE_URI = re.compile(r"file:(//[^/]*)?(?P<path>/.*)", re.IGNORECASE)
_MASTER = re.compile(r"|local(\[(\*|[1-9]\d*)(,\s*\d+)?\])?|yarn|(spark|k8s)://.+")


def check_bootstrap_servers(text: str) -> str:
    """Return the text if it is ``host:port``, several of them separated by commas."""
    for server in text.split(","):
        match = _SERVER.fullmatch(server.strip())
        if not match or not 0 < int(match.group(2)) < 65536:
            raise ValueError(f"{server!r} is not host:port; write for example 'localhost:9092'")
    return text


def check_host_names(text: str) -> str:
    """Return the text if it is host names or IP addresses without a port, separated by commas."""
    for host in text.split(","):
        if not _HOST.fullmatch(host.strip()):
            try:
                ip_address(host.strip())
            except ValueError:
                raise ValueError(
                    f"{host!r} is not a host name; write names without scheme and port, for "
                    "example 'localhost,127.0.0.1,cameras.example.com'"
                ) from None
    return text


def check_endpoint(text: str) -> str:
    """Return the text, without a slash at its end, if it is http:// or https:// and a host."""
    if not _ENDPOINT.fullmatch(text):
        raise ValueError(
            f"{text!r} is not the address of a store; write for example 'https://s3.example.com'"
        )
    return text.rstrip("/")


def check_memory(text: str) -> str:
    """Return the text if it is an amount of memory as Java reads it."""
    if not _MEMORY.fullmatch(text):
        raise ValueError(f"{text!r} is not an amount of memory; write for example '1g' or '512m'")
    return text


def check_spark_master(text: str) -> str:
    """Return the text if it is a Spark master, or nothing where spark-submit names it."""
    if not _MASTER.fullmatch(text):
        raise ValueError(
            f"{text!r} is not a Spark master; write for example 'local[2]' or 'spark://host:7077'"
        )
    return text


def check_starting_offsets(text: str) -> str:
    """Return the text if it is ``earliest``, ``latest`` or offsets of nest-logs by partition."""
    if text in ("earliest", "latest"):
        return text
    try:
        by_topic = json.loads(text)
        by_partition = by_topic[NEST_LOGS.name]
        offsets = [(int(partition), offset) for partition, offset in by_partition.items()]
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
        by_topic, offsets = {}, []
    is_usable = all(
        partition >= 0 and type(offset) is int and offset >= -2 for partition, offset in offsets
    )
    if len(by_topic) != 1 or not offsets or not is_usable:
        raise ValueError(
            f"{text!r} is no starting position; write earliest, latest or JSON such as "
            '\'{"nest-logs":{"0":23,"1":-2,"2":-1,"3":5}}\' (-2 is earliest, -1 is latest)'
        )
    return text


def check_kafka_options(text: str) -> str:
    """Return the text if it is a JSON object of options of Kafka's clients that may be set."""
    parse_options(text)
    return text


def check_path(text: object) -> object:
    """Return a path with the user's home in place of a ``~``; leave what is no text to its type.

    Raises ValueError for blank text: it would be the current folder, or the root of the disk.
    """
    if not isinstance(text, str):
        return text
    if not text.strip():
        raise ValueError("is blank; write a path, or unset the variable for the default")
    return os.path.expanduser(text)  # noqa: PTH111 - a Path would change a URI


def check_local_path(text: object) -> object:
    """Return a path as ``check_path`` does; ValueError for links that go round in a circle."""
    path = check_path(text)
    if isinstance(path, str):
        try:
            os.path.realpath(path, strict=True)
        except OSError as error:
            if error.errno == errno.ELOOP:
                problem = "is a link that leads to itself; name a folder or file"
                raise ValueError(problem) from None
    return path


def check_location(text: object) -> object:
    """Return a path or URI as ``check_path`` does, a local one as ``check_local_path``.

    Raises ValueError for another scheme of S3's.
    """
    if local := _FILE_URI.fullmatch(str(text)):
        return check_local_path(local["path"])
    scheme, separator, rest = str(text).partition("://")
    if scheme.lower() in ("s3", "s3n"):
        raise ValueError(f"has a scheme that nothing locks here; write s3a://{rest}")
    if not separator:
        return check_local_path(text)
    return check_path(f"{scheme.lower()}://{rest}")


BootstrapServers = Annotated[str, AfterValidator(check_bootstrap_servers)]
Endpoint = Annotated[str, AfterValidator(check_endpoint)]
HostNames = Annotated[str, AfterValidator(check_host_names)]
KafkaOptions = Annotated[str, AfterValidator(check_kafka_options)]
LocalPath = Annotated[Path, BeforeValidator(check_local_path)]
Location = Annotated[str, BeforeValidator(check_location)]
"""A path or a URI."""
Memory = Annotated[str, AfterValidator(check_memory)]
SparkMaster = Annotated[str, AfterValidator(check_spark_master)]
StartingOffsets = Annotated[str, AfterValidator(check_starting_offsets)]
