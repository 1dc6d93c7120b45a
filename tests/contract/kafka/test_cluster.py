"""One place of settings makes the arguments of kafka-python and the options of Spark."""

from collections.abc import Callable
from pathlib import Path

import pytest
from kafka import KafkaConsumer, KafkaProducer

from contract.errors import UserError
from contract.kafka.cluster import KafkaCluster
from contract.kafka.connections import new_producer, open_consumer
from contract.settings import load_settings

PASSWORD = 'a "quoted" \\ password'


@pytest.fixture
def files(tmp_path: Path) -> dict[str, Path]:
    password, ca = tmp_path / "password", tmp_path / "ca.pem"
    password.write_text(f"{PASSWORD}\n")
    ca.write_text("-----BEGIN CERTIFICATE-----\n")
    return {"password_file": password, "ca_file": ca}


def test_a_cluster_that_lets_everybody_in_needs_its_address_alone() -> None:
    cluster = KafkaCluster("a:1, b:2")
    assert cluster.python_arguments(KafkaConsumer.DEFAULT_CONFIG) == {
        "bootstrap_servers": ["a:1", "b:2"]
    }
    assert cluster.spark_options() == {"kafka.bootstrap.servers": "a:1, b:2"}


def test_user_password_and_certificate_reach_both_clients(files: dict[str, Path]) -> None:
    cluster = KafkaCluster("a:1", "SASL_SSL", user="pipeline", **files)
    assert cluster.python_arguments(KafkaConsumer.DEFAULT_CONFIG) == {
        "bootstrap_servers": ["a:1"],
        "security_protocol": "SASL_SSL",
        "ssl_cafile": str(files["ca_file"]),
        "sasl_mechanism": "SCRAM-SHA-512",
        "sasl_plain_username": "pipeline",
        "sasl_plain_password": PASSWORD,
    }
    assert cluster.spark_options() == {
        "kafka.bootstrap.servers": "a:1",
        "kafka.security.protocol": "SASL_SSL",
        "kafka.ssl.truststore.type": "PEM",
        "kafka.ssl.truststore.certificates": "-----BEGIN CERTIFICATE-----\n",
        "kafka.sasl.mechanism": "SCRAM-SHA-512",
        "kafka.sasl.jaas.config": (
            "org.apache.kafka.common.security.scram.ScramLoginModule required "
            'username="pipeline" password="a \\"quoted\\" \\\\ password";'
        ),
    }
    assert PASSWORD not in repr(cluster)


def test_further_options_go_to_spark_and_those_it_knows_to_kafka_python() -> None:
    options = """{
        "linger.ms": "7", "retry.backoff.ms": "7.5", "enable.idempotence": true,
        "client.id": "nest", "only.java": 1,
        "ssl.endpoint.identification.algorithm": "",
        "ssl.keystore.type": "PEM", "ssl.keystore.location": "client.pem",
        "ssl.truststore.type": "JKS", "ssl.truststore.location": "trust.jks"
    }"""
    cluster = KafkaCluster("a:1", options=options)
    assert cluster.python_arguments(KafkaProducer.DEFAULT_CONFIG) == {
        "bootstrap_servers": ["a:1"],
        "linger_ms": 7,
        "retry_backoff_ms": 7.5,
        "enable_idempotence": True,
        "client_id": "nest",
        "ssl_check_hostname": False,
        "ssl_certfile": "client.pem",
        "ssl_keyfile": "client.pem",
    }
    spark = cluster.spark_options()
    assert (spark["kafka.linger.ms"], spark["kafka.only.java"]) == ("7", "1")
    assert spark["kafka.enable.idempotence"] == "true"
    assert spark["kafka.ssl.truststore.location"] == "trust.jks"


@pytest.mark.parametrize(
    ("options", "says"),
    [
        ('{"request.timeout.ms": "abc"}', "request.timeout.ms is not a number"),
        ('{"request.timeout.ms": "inf"}', "request.timeout.ms is not a number"),
        ('{"bootstrap.timeout.ms": true}', "bootstrap.timeout.ms is not a number"),
        ('{"receive.buffer.bytes": "x"}', "receive.buffer.bytes is not a number"),
        ('{"enable.idempotence": "yes"}', "enable.idempotence is neither true nor false"),
    ],
)
def test_an_option_of_another_type_is_named(options: str, says: str) -> None:
    with pytest.raises(UserError, match=f"^NEST_KAFKA_OPTIONS: {says}.$"):
        new_producer(KafkaCluster("localhost:1", options=options))


def test_options_that_are_objects_in_python_are_javas_alone() -> None:
    options = """{
        "metric.reporters": "a.B", "api.version": "abc", "acks": "all",
        "receive.buffer.bytes": "65536"
    }"""
    cluster = KafkaCluster("a:1", options=options)
    assert cluster.python_arguments(KafkaProducer.DEFAULT_CONFIG) == {
        "bootstrap_servers": ["a:1"],
        "acks": "all",
        "receive_buffer_bytes": 65536,
    }
    assert cluster.spark_options()["kafka.metric.reporters"] == "a.B"


@pytest.mark.parametrize(
    ("settings", "says"),
    [
        ({"user": "a"}, "a user is for SASL_SSL"),
        ({"security_protocol": "SASL_SSL"}, "these need one"),
        ({"security_protocol": "SASL_SSL", "user": "a"}, "are set together"),
        ({"ca_file": "ca.pem"}, "NEST_KAFKA_CA_FILE is for TLS"),
        ({"options": "[]"}, "it is not a JSON object"),
        ({"options": '{"a":' * 30_000 + "1" + "}" * 30_000}, "it is not a JSON object"),
        ({"options": '{"kafka.acks": "all"}'}, "without the prefix here: acks"),
        ({"options": '{"a": [1]}'}, "is no text, number or boolean"),
        ({"options": '{"auto.offset.reset": "latest"}'}, "auto.offset.reset cannot be set"),
        ({"options": '{"group.id": "x"}'}, "group.id cannot be set"),
        ({"options": '{"acks": 1}'}, "acks must be all"),
        ({"options": '{"acks": "0"}'}, "acks must be all"),
        ({"options": '{"key.serializer": "x"}'}, "key.serializer cannot be set"),
        ({"options": '{"bootstrap.servers": "x"}'}, "set NEST_BOOTSTRAP_SERVERS"),
        ({"options": '{"sasl.jaas.config": "x"}'}, "set NEST_KAFKA_USER"),
        ({"options": '{"ssl.key.password": "x"}'}, "ssl.key.password is a secret"),
    ],
)
def test_settings_that_do_not_go_together_are_named_before_anything_starts(
    monkeypatch: pytest.MonkeyPatch, settings: dict[str, str], says: str
) -> None:
    for name, value in settings.items():
        monkeypatch.setenv(f"NEST_KAFKA_{name.upper()}", value)
    with pytest.raises(UserError, match=says):
        load_settings()


def test_an_error_about_options_shows_no_value(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NEST_KAFKA_OPTIONS", '{"ssl.keystore.password": "hunter2"}')
    with pytest.raises(UserError) as error:
        load_settings()
    assert "hunter2" not in str(error.value)


def test_a_secret_may_be_a_reference_of_kafkas_own(monkeypatch: pytest.MonkeyPatch) -> None:
    options = '{"ssl.key.password": "${file:/run/secrets/kafka:key}", "config.providers": "file"}'
    monkeypatch.setenv("NEST_KAFKA_OPTIONS", options)
    spark = load_settings().kafka.spark_options()
    assert spark["kafka.ssl.key.password"] == "${file:/run/secrets/kafka:key}"


@pytest.mark.parametrize("content", [None, "", "two\nlines", "\x00"])
def test_a_password_file_without_a_password_is_named(tmp_path: Path, content: str | None) -> None:
    file = tmp_path / "password"
    if content is not None:
        file.write_text(content)
    cluster = KafkaCluster("a:1", "SASL_SSL", user="pipeline", password_file=file)
    with pytest.raises(UserError, match=f"NEST_KAFKA_PASSWORD_FILE={file}"):
        cluster.spark_options()


@pytest.mark.kafka
@pytest.mark.parametrize(
    ("options", "connect"),
    [
        ('{"compression.type": "snappy"}', new_producer),
        ('{"retries": 0, "enable.idempotence": true}', new_producer),
        ('{"request.timeout.ms": 50}', lambda cluster: open_consumer(cluster).__enter__()),
    ],
)
def test_options_that_a_client_cannot_use_are_not_taken_for_a_missing_broker(
    bootstrap_servers: str, options: str, connect: Callable[[KafkaCluster], object]
) -> None:
    with pytest.raises(UserError, match=r"^NEST_KAFKA_OPTIONS cannot be used: "):
        connect(KafkaCluster(bootstrap_servers, options=options))
