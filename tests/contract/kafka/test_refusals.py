"""Why a broker does not let a client in is one sentence, at once."""

import socket
import ssl
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from contract.errors import UserError
from contract.kafka.cluster import KafkaCluster
from contract.kafka.connections import open_consumer
from contract.kafka.refusals import refusal
from demo.stack.security.certificates import Signed, new_authority, sign_broker

YESTERDAY = datetime.now(UTC) - timedelta(days=1)


@contextmanager
def tls_server(folder: Path, signed: Signed) -> Iterator[int]:
    """Speak TLS with this certificate on a free port, and say nothing."""
    file = folder / "server.pem"
    file.write_text(signed.key + signed.certificate)
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(file)
    with socket.create_server(("127.0.0.1", 0)) as listener:

        def serve() -> None:
            with suppress(OSError):
                while True:
                    client, _ = listener.accept()
                    with suppress(OSError), context.wrap_socket(client, server_side=True) as tls:
                        tls.recv(1)

        threading.Thread(target=serve, daemon=True).start()
        yield int(listener.getsockname()[1])


def cluster(folder: Path, port: int, trusted: Signed) -> KafkaCluster:
    ca = folder / "ca.pem"
    ca.write_text(trusted.certificate)
    return KafkaCluster(f"localhost:{port}", "SSL", ca_file=ca)


def test_an_expired_certificate_is_said(tmp_path: Path) -> None:
    authority = new_authority()
    expired = sign_broker(authority, ["localhost"], until=YESTERDAY)
    with tls_server(tmp_path, expired) as port, pytest.raises(UserError) as error:  # noqa: SIM117
        with open_consumer(cluster(tmp_path, port, authority)):
            pass
    assert "certificate has expired" in str(error.value)
    assert f"localhost:{port}" in str(error.value)


def test_an_unknown_authority_is_said(tmp_path: Path) -> None:
    signed = sign_broker(new_authority(), ["localhost"])
    with tls_server(tmp_path, signed) as port:
        refused = refusal(cluster(tmp_path, port, new_authority()))
    assert "is not accepted: unable to get local issuer certificate" in str(refused)
    assert f"NEST_KAFKA_CA_FILE={tmp_path / 'ca.pem'}" in str(refused)


def test_a_certificate_for_another_host_is_said(tmp_path: Path) -> None:
    authority = new_authority()
    with tls_server(tmp_path, sign_broker(authority, ["kafka.example.com"])) as port:
        refused = refusal(cluster(tmp_path, port, authority))
    assert "not valid for 'localhost'" in str(refused)


def test_a_broker_with_tls_is_told_from_one_without(tmp_path: Path) -> None:
    authority = new_authority()
    with tls_server(tmp_path, sign_broker(authority, ["localhost"])) as port:
        refused = refusal(KafkaCluster(f"localhost:{port}"))
    assert "speaks TLS, and NEST_KAFKA_SECURITY_PROTOCOL is PLAINTEXT" in str(refused)


def test_where_nobody_answers_there_is_no_refusal() -> None:
    assert refusal(KafkaCluster("localhost:1", "SSL")) is None
