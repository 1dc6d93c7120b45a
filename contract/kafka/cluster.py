"""A Kafka cluster and as whom its clients talk to it, in the forms of kafka-python and of Spark."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from contract.errors import UserError
from contract.java import quoted
from contract.kafka.options import parse_options, python_arguments

_MODULES = {
    "PLAIN": "org.apache.kafka.common.security.plain.PlainLoginModule",
    "SCRAM-SHA-256": "org.apache.kafka.common.security.scram.ScramLoginModule",
    "SCRAM-SHA-512": "org.apache.kafka.common.security.scram.ScramLoginModule",
}
"""Java's login module by SASL mechanism."""


@dataclass(frozen=True)
class KafkaCluster:
    """The brokers' addresses, and what a client needs to be let in; it never holds a password.

    ``options`` is NEST_KAFKA_OPTIONS: JSON of further options by their Java names.
    """

    bootstrap_servers: str
    security_protocol: str = "PLAINTEXT"
    sasl_mechanism: str = "SCRAM-SHA-512"
    user: str | None = None
    password_file: Path | None = None
    ca_file: Path | None = None
    options: str = "{}"

    @property
    def servers(self) -> list[str]:
        """The addresses one by one, each host:port."""
        return [server.strip() for server in self.bootstrap_servers.split(",")]

    @property
    def uses_tls(self) -> bool:
        """Whether the connection is encrypted."""
        return self.security_protocol in ("SSL", "SASL_SSL")

    @property
    def uses_sasl(self) -> bool:
        """Whether the client says who it is by name and password."""
        return self.security_protocol.startswith("SASL_")

    @property
    def principal(self) -> str:
        """Whom the cluster takes the client for, as far as the client knows."""
        if self.uses_sasl:
            return str(self.user)
        return "of this client's certificate" if self.uses_tls else "ANONYMOUS"

    def python_arguments(self, known: Mapping[str, Any]) -> dict[str, Any]:
        """Return kafka-python's keyword arguments; ``known`` is the client's ``DEFAULT_CONFIG``.

        They hold the password: never print them. Raises UserError if a file cannot be read.
        """
        arguments: dict[str, Any] = {"bootstrap_servers": self.servers}
        if self.security_protocol != "PLAINTEXT":
            arguments["security_protocol"] = self.security_protocol
        if self.ca_file is not None:
            _read(self.ca_file, "NEST_KAFKA_CA_FILE")
            arguments["ssl_cafile"] = str(self.ca_file)
        if self.uses_sasl:
            arguments["sasl_mechanism"] = self.sasl_mechanism
            arguments["sasl_plain_username"] = self.user
            arguments["sasl_plain_password"] = self.read_password()
        return arguments | python_arguments(parse_options(self.options), known)

    def spark_options(self) -> dict[str, str]:
        """Return the options of Spark's Kafka source and sink, each with the prefix ``kafka.``.

        ``kafka.sasl.jaas.config`` holds the password; the session hides it in plans and in the UI.
        The CA's certificate is passed in whole, so that executors need no file. Raises UserError if
        a file cannot be read.
        """
        options = {"bootstrap.servers": self.bootstrap_servers}
        if self.security_protocol != "PLAINTEXT":
            options["security.protocol"] = self.security_protocol
        if self.ca_file is not None:
            options["ssl.truststore.type"] = "PEM"
            options["ssl.truststore.certificates"] = _read(self.ca_file, "NEST_KAFKA_CA_FILE")
        if self.uses_sasl:
            options["sasl.mechanism"] = self.sasl_mechanism
            password = self.read_password()
            options["sasl.jaas.config"] = jaas_config(self.sasl_mechanism, str(self.user), password)
        options |= parse_options(self.options)
        return {f"kafka.{name}": value for name, value in options.items()}

    def read_password(self) -> str:
        """Return the password; UserError if its file cannot be read or holds no password."""
        if self.password_file is None:
            raise UserError("NEST_KAFKA_USER needs NEST_KAFKA_PASSWORD_FILE beside it.")
        password = _read(self.password_file, "NEST_KAFKA_PASSWORD_FILE").rstrip("\r\n")
        if not password or not password.isprintable():
            raise UserError(
                f"NEST_KAFKA_PASSWORD_FILE={self.password_file} holds no password: it must be one "
                "line of printable characters."
            )
        return password


Kafka = KafkaCluster | str
"""A cluster; or the addresses of one that lets everybody in."""


def as_cluster(kafka: Kafka) -> KafkaCluster:
    """Return the cluster, which may be given by its addresses alone."""
    return KafkaCluster(kafka) if isinstance(kafka, str) else kafka


def _read(file: Path, setting: str) -> str:
    try:
        return file.read_text()
    except (OSError, UnicodeDecodeError) as error:
        reason = error.strerror if isinstance(error, OSError) else "it is not text"
        is_missing = isinstance(error, FileNotFoundError)
        hint = " `nest up --secure` makes those of the embedded Kafka." if is_missing else ""
        raise UserError(f"{setting}={file} cannot be read: {reason}.{hint}") from None


def jaas_config(mechanism: str, user: str, password: str) -> str:
    """Return a user and a password as Java's clients take them."""
    login = f"username={quoted(user)} password={quoted(password)}"
    return f"{_MODULES[mechanism]} required {login};"
