"""Why a Kafka broker refuses a client, in one sentence.

kafka-python tries again until its time is over, and then says only that it could not bootstrap. So
the broker is asked once by hand.
"""

import socket
import ssl
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from functools import cache
from typing import Any

from kafka import KafkaAdminClient
from kafka.errors import AuthorizationError, KafkaError, for_code
from kafka.net.sasl import get_sasl_mechanism
from kafka.net.transport import KafkaSSLTransport
from kafka.protocol.parser import KafkaProtocol
from kafka.protocol.sasl import SaslAuthenticateRequest, SaslHandshakeRequest

from contract.errors import UserError
from contract.kafka.cluster import Kafka, KafkaCluster, as_cluster

_TIMEOUT_S = 5.0
_NO_SASL = 34
"""The error code of a listener that wants no user and password."""


class Refused(UserError):
    """Kafka did not let a client in, or did not let it do something: ``operation``, if known."""

    def __init__(self, message: str, operation: str | None = None) -> None:
        super().__init__(message)
        self.operation = operation


class _NoAnswer(Exception):
    """No broker could be asked."""


def require_access(cluster: KafkaCluster) -> None:
    """Raise Refused if the cluster does not let this client in; once let in, it is not asked again.

    Nothing is raised where no broker answers: one may be starting.
    """
    if cluster.security_protocol != "PLAINTEXT":
        with suppress(_NoAnswer):
            _require_access(cluster)


@cache  # which keeps no exception
def _require_access(cluster: KafkaCluster) -> None:
    if reason := why_refused(cluster):
        raise Refused(reason)


def refusal(cluster: KafkaCluster) -> Refused | None:
    """Return why the cluster does not let this client in; None if it does, or nobody answers."""
    try:
        reason = why_refused(cluster)
    except _NoAnswer:
        return None
    return Refused(reason) if reason else None


def why_refused(cluster: KafkaCluster) -> str | None:
    """Ask the first broker that answers why it does not let this client in; None if it does."""
    for server in cluster.servers:
        host, _, port = server.rpartition(":")
        try:
            plain = socket.create_connection((host.strip("[]"), int(port)), timeout=_TIMEOUT_S)
        except OSError:
            continue
        with closing(plain):
            plain.settimeout(_TIMEOUT_S)
            return _why_refused_by(plain, server, host.strip("[]"), cluster)
    raise _NoAnswer


def _why_refused_by(
    plain: socket.socket, server: str, host: str, cluster: KafkaCluster
) -> str | None:
    arguments = cluster.python_arguments(KafkaAdminClient.DEFAULT_CONFIG)
    connection = plain
    if cluster.uses_tls:
        configs = {**KafkaSSLTransport.DEFAULT_CONFIG, **arguments}
        try:
            context = KafkaSSLTransport._build_ssl_context(configs)
        except (OSError, ssl.SSLError) as error:
            return f"The certificates for Kafka cannot be used: {error}."
        try:
            connection = context.wrap_socket(plain, server_hostname=host)
        except ssl.SSLCertVerificationError as error:
            return (
                f"The certificate of the Kafka broker at {server} is not accepted: "
                f"{error.verify_message.rstrip('.')}. NEST_KAFKA_CA_FILE={cluster.ca_file} says "
                "whose certificates are."
            )
        except (ssl.SSLError, OSError):
            return (
                f"The Kafka broker at {server} does not speak TLS, or not with this client, and "
                f"NEST_KAFKA_SECURITY_PROTOCOL is {cluster.security_protocol}."
            )
    with closing(connection):
        try:
            return _why_not_authenticated(connection, server, cluster, arguments)
        except (OSError, ssl.SSLError, KafkaError):
            return _why_silent(server, host, cluster)


def _why_not_authenticated(
    connection: socket.socket, server: str, cluster: KafkaCluster, arguments: dict[str, Any]
) -> str | None:
    mechanism = cluster.sasl_mechanism
    answer = _ask(connection, SaslHandshakeRequest(mechanism=mechanism, version=1))
    wants_none = answer.error_code == _NO_SASL
    if not cluster.uses_sasl:
        return None if wants_none else _wants_password(server, cluster)
    if wants_none:
        return (
            f"The Kafka broker at {server} wants no user and password, and "
            f"NEST_KAFKA_SECURITY_PROTOCOL is {cluster.security_protocol}."
        )
    if answer.error_code:
        return (
            f"The Kafka broker at {server} does not take NEST_KAFKA_SASL_MECHANISM={mechanism}, "
            f"but {', '.join(answer.mechanisms)}."
        )
    dialogue = get_sasl_mechanism(mechanism)(host=server, **arguments)
    while not dialogue.is_done():
        answer = _ask(connection, SaslAuthenticateRequest(dialogue.auth_bytes(), version=1))
        if answer.error_code:
            return (
                f"Kafka at {server} does not let the user {cluster.user} in: "
                f"{answer.error_message or for_code(answer.error_code).__name__}. The password is "
                f"that of NEST_KAFKA_PASSWORD_FILE={cluster.password_file}."
            )
        dialogue.receive(answer.auth_bytes)
    return None


def _why_silent(server: str, host: str, cluster: KafkaCluster) -> str | None:
    """Say why a broker has closed the connection: perhaps it expects TLS."""
    if cluster.uses_tls:
        return (
            f"The Kafka broker at {server} closed the connection at once: it may want a "
            "certificate of this client (ssl.keystore.location in NEST_KAFKA_OPTIONS)."
        )
    name, _, port = server.rpartition(":")
    anyone = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    anyone.check_hostname, anyone.verify_mode = False, ssl.CERT_NONE
    try:
        with (
            socket.create_connection((name.strip("[]"), int(port)), timeout=_TIMEOUT_S) as plain,
            anyone.wrap_socket(plain, server_hostname=host),
        ):
            return (
                f"The Kafka broker at {server} speaks TLS, and NEST_KAFKA_SECURITY_PROTOCOL is "
                f"{cluster.security_protocol}. For the demo's own Kafka set "
                "NEST_KAFKA_SECURE=true; docs/security.md lists the settings for another."
            )
    except OSError:
        return None


def _wants_password(server: str, cluster: KafkaCluster) -> str:
    return (
        f"The Kafka broker at {server} wants a user and a password, and "
        f"NEST_KAFKA_SECURITY_PROTOCOL is {cluster.security_protocol}: docs/security.md lists the "
        "settings."
    )


def _ask(connection: socket.socket, request: Any) -> Any:
    """Send one request and return its answer; OSError when the broker closes the connection."""
    protocol = KafkaProtocol(client_id="nest")
    protocol.send_request(request)
    connection.sendall(protocol.send_bytes())
    while True:
        received = connection.recv(4096)
        if not received:
            raise ConnectionError("closed")
        for _, response in protocol.receive_bytes(received):
            return response


@contextmanager
def explained_topic_refusals(kafka: Kafka, operation: str) -> Iterator[None]:
    """Turn Kafka's refusal of what is done inside to topics into a sentence: who may not do it."""
    try:
        yield
    except AuthorizationError:
        raise not_allowed(as_cluster(kafka).principal, operation, "the topics") from None


def not_allowed(principal: str, operation: str, resource: str) -> Refused:
    """Return the error for a principal that lacks a right."""
    return Refused(
        f"The Kafka user {principal} may not {operation} {resource}. Let whoever runs Kafka give "
        "it this right; docs/security.md lists those that each part needs.",
        operation,
    )
