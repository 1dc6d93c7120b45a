"""Options of Kafka's clients by their Java names, as NEST_KAFKA_OPTIONS gives them."""

import json
import re
from collections.abc import Mapping
from contextlib import suppress
from math import isfinite
from typing import Any

from contract.errors import UserError

_POSITIONS = "where a query begins is NEST_STARTING_OFFSETS, and then its checkpoint"
_AS_BYTES = "keys and values are read and written as bytes; what they mean is a step of the query"
REFUSED = {
    "auto.offset.reset": _POSITIONS,
    "enable.auto.commit": "positions are kept in the checkpoint, not in Kafka",
    "group.id": "Spark gives each query a group of its own, and the rights are for those",
    "interceptor.classes": "an interceptor could change records behind Spark's back",
    "key.deserializer": _AS_BYTES,
    "key.serializer": _AS_BYTES,
    "value.deserializer": _AS_BYTES,
    "value.serializer": _AS_BYTES,
    "bootstrap.servers": "set NEST_BOOTSTRAP_SERVERS",
    "security.protocol": "set NEST_KAFKA_SECURITY_PROTOCOL",
    "sasl.mechanism": "set NEST_KAFKA_SASL_MECHANISM",
    "sasl.jaas.config": "set NEST_KAFKA_USER and NEST_KAFKA_PASSWORD_FILE",
}
"""Options that Spark keeps to itself, or that have a setting of their own; each with the reason."""

_SECRET = re.compile(r"password|secret|token|keystore\.key$|jaas")
_REFERENCE = re.compile(r"\$\{\w+:.+\}")
_SPECIAL = {
    "ssl.endpoint.identification.algorithm": ("ssl_check_hostname",),
    "ssl.truststore.location": ("ssl_cafile",),
    "ssl.keystore.location": ("ssl_certfile", "ssl_keyfile"),
}
"""Options with another name in kafka-python, which reads PEM files as Java does."""

_TYPICAL = {"receive_buffer_bytes": 0, "send_buffer_bytes": 0}
"""Arguments whose default is None, with a value of the type that they take."""
_PYTHONS = ("api_version", "ssl_context", "sasl_oauth_token_provider")
"""Arguments of kafka-python's own, which are objects and no options of Java's."""


def parse_options(text: str) -> dict[str, str]:
    """Return the options of a JSON object, each value as text.

    Raises ValueError naming the first option that cannot be used and why; never with its value,
    which may be a secret.
    """
    try:
        options = json.loads(text)
    except (ValueError, RecursionError):
        options = None
    if not isinstance(options, dict):
        raise ValueError(
            "it is not a JSON object; write for example '{\"fetch.max.bytes\": 1048576}'"
        )
    for name, value in options.items():
        if name.startswith("kafka."):
            raise ValueError(f"{name} is written without the prefix here: {name[6:]}")
        if name in REFUSED:
            raise ValueError(f"{name} cannot be set: {REFUSED[name]}")
        if name == "acks" and str(value) not in ("all", "-1"):
            raise ValueError("acks must be all: a broker that stops would take records with it")
        if isinstance(value, list | dict) or value is None:
            raise ValueError(f"the value of {name} is no text, number or boolean")
        if _SECRET.search(name) and not _REFERENCE.fullmatch(str(value)):
            raise ValueError(
                f"{name} is a secret, and an environment variable can be read by others: keep it "
                "in a file, and write a reference of Kafka's config.providers, as ${file:…}"
            )
    return {name: _as_text(value) for name, value in options.items()}


def python_arguments(options: Mapping[str, str], known: Mapping[str, Any]) -> dict[str, Any]:
    """Return those options that kafka-python knows as its keyword arguments.

    ``known`` is a client's ``DEFAULT_CONFIG``: its values say of which type an argument is. What
    kafka-python does not know is for Spark alone, and so are stores that are no PEM files, and
    what names a class of Java's. Raises UserError for a value of another type, without the value.
    """
    arguments: dict[str, Any] = {}
    for name, value in options.items():
        store = name.removesuffix("location") + "type"
        if name in _SPECIAL and store.endswith("store.type") and options.get(store) != "PEM":
            continue
        for argument in _SPECIAL.get(name, (name.replace(".", "_"),)):
            if name == "ssl.endpoint.identification.algorithm":
                arguments[argument] = value == "https"
            elif argument in known and _takes_text(argument, known[argument]):
                arguments[argument] = _typed(name, value, _TYPICAL.get(argument, known[argument]))
    return arguments


def _as_text(value: object) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)


def _takes_text(argument: str, default: object) -> bool:
    return argument not in _PYTHONS and isinstance(default, str | int | float | None)


def _typed(name: str, text: str, default: object) -> object:
    """Return a value as the type of the argument's default."""
    if isinstance(default, bool):
        if text not in ("true", "false"):
            raise UserError(f"NEST_KAFKA_OPTIONS: {name} is neither true nor false.")
        return text == "true"
    if isinstance(default, int | float) and (name, text) != ("acks", "all"):
        for read in (int, float):
            with suppress(ValueError):
                if isfinite(number := read(text)):
                    return number
        raise UserError(f"NEST_KAFKA_OPTIONS: {name} is not a number.")
    return text
