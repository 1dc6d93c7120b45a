"""The demo on a Kafka that lets in known users only: each part as its own, and nothing more."""

import subprocess
from collections.abc import Callable, Mapping
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from kafka.errors import TopicAuthorizationFailedError

from contract.errors import UserError
from contract.kafka.acls import (
    DASHBOARD,
    KAFKA_USERS,
    OPERATOR,
    PIPELINE,
    PRODUCER,
    topic_operations,
)
from contract.kafka.bounded_read import records_in_topic
from contract.kafka.cluster import KafkaCluster
from contract.kafka.connections import new_producer, open_consumer
from contract.kafka.rights import require_rights
from contract.queries import Query
from contract.topics import CAMERA_ALERTS, CAMERA_STATS, NEST_LOGS, PIPELINE_PROGRESS, SIGHTINGS
from demo.commands.tail import body, follow
from demo.stack.broker import Broker
from demo.stack.security.certificates import new_authority
from demo.stack.security.credentials import USERS
from pipeline.running.lasting_failures import lasting_failure
from producer.sender import Sender
from tests.e2e.canaries import SPELLINGS, files_with, planted
from tests.fixtures.kafka import GIVES_UP_SOON
from tests.fixtures.nest_command import nest
from tests.fixtures.secured_kafka import SecuredKafka

pytestmark = [pytest.mark.kafka, pytest.mark.spark, pytest.mark.timeout(900)]
NO_SPARK: Any = None
DOWNSTREAM = (CAMERA_STATS, CAMERA_ALERTS, SIGHTINGS, PIPELINE_PROGRESS)


class Output(Mapping[str, "subprocess.CompletedProcess[str]"]):
    """What each command of the chain has printed, by its words."""

    def __init__(self, kafka: SecuredKafka) -> None:
        self._kafka = kafka
        self._done: dict[str, subprocess.CompletedProcess[str]] = {}

    def __getitem__(self, words: str) -> "subprocess.CompletedProcess[str]":
        return self._done[words]

    def __iter__(self):
        return iter(self._done)

    def __len__(self) -> int:
        return len(self._done)

    def run(self, user: str, words: str) -> None:
        """Run a command as a user; it must succeed."""
        environment = {"COLUMNS": "300", **self._kafka.environment(user), **self.spark_conf()}
        done = nest(*words.split(), timeout=400, **environment)
        self._done[f"{words} as {user}"] = done
        assert done.returncode == 0, done.stdout + done.stderr

    def spark_conf(self) -> dict[str, str]:
        """Have Spark write its event log: all plans and options that its UI could show."""
        events, conf = self._kafka.folder / "events", self._kafka.folder / "conf"
        events.mkdir(exist_ok=True)
        conf.mkdir(exist_ok=True)
        (conf / "spark-defaults.conf").write_text(
            f"spark.eventLog.enabled true\nspark.eventLog.compress false\n"
            f"spark.eventLog.dir {events.as_uri()}\n"
        )
        return {"SPARK_CONF_DIR": str(conf), "NEST_LOG_LEVEL": "info"}

    @property
    def text(self) -> str:
        return "".join(done.stdout + done.stderr for done in self._done.values())


@pytest.fixture(scope="module")
def chain(secured_kafka: SecuredKafka) -> Output:
    """The whole chain, bounded, each part as its own user, over messages with a secret in them."""
    output = Output(secured_kafka)
    output.run(OPERATOR, "topics")
    output.run(PRODUCER, "produce --messages 300")
    producer = new_producer(secured_kafka.as_user(PRODUCER).kafka, acks="all")
    for value in planted():
        producer.send(NEST_LOGS.name, key=b"canary-home", value=value).get(timeout=10)
    producer.close()
    output.run(PIPELINE, "pipeline --once")
    output.run(OPERATOR, "check")
    output.run(DASHBOARD, "check --format json")
    output.run(DASHBOARD, "report --threshold 0")
    output.run(OPERATOR, f"tail {NEST_LOGS.name} --from earliest -n {300 + len(planted())}")
    return output


def test_the_chain_runs_with_each_part_as_its_own_user(chain: Output) -> None:
    assert "camera" in chain["check as operator"].stdout
    assert "canary-camera" in chain.text


def test_a_secret_in_any_spelling_is_found_nowhere_downstream(
    secured_kafka: SecuredKafka, chain: Output
) -> None:
    assert not [word for word in SPELLINGS if word in chain.text]
    with open_consumer(secured_kafka.as_user(DASHBOARD).kafka) as consumer:
        for topic in DOWNSTREAM:
            for record in records_in_topic(consumer, topic.name):
                content = b"".join(part or b"" for part in (record.key, record.value))
                assert not [word for word in SPELLINGS if word.encode() in content], record
    for folder in ("lake", "checkpoints", "logs", "events"):
        assert (secured_kafka.folder / folder).is_dir()
        assert files_with(secured_kafka.folder / folder, SPELLINGS) == []


def test_a_password_is_found_nowhere_but_in_its_file(
    secured_kafka: SecuredKafka, chain: Output
) -> None:
    passwords = tuple(secured_kafka.credentials.password(user) for user in USERS)
    assert not [word for word in passwords if word in chain.text]
    events = (path for path in (secured_kafka.folder / "events").rglob("*") if path.is_file())
    plans = "".join(path.read_text(errors="replace") for path in events)
    assert "kafka.sasl.jaas.config=*********(redacted)" in plans
    for folder in ("lake", "checkpoints", "logs", "events"):
        assert files_with(secured_kafka.folder / folder, passwords) == []


def test_pages_show_no_secret(secured_kafka: SecuredKafka, chain: Output) -> None:
    from dashboard.data.alerts import read_alerts
    from dashboard.data.counts import read_counts
    from dashboard.data.lake.cameras import read_cameras
    from dashboard.data.lake.tables import read_lake
    from dashboard.data.live_reader import read_live

    settings = secured_kafka.as_user(DASHBOARD)
    shown = [
        next(read_counts(settings.kafka)).rows.to_csv(),
        repr(next(read_live(settings.kafka))),
        repr(next(read_alerts(settings.kafka))),
        repr(next(read_cameras(settings.lake))),
        repr(next(read_lake(settings.lake))),
    ]
    assert not [word for word in SPELLINGS for text in shown if word in text]


def test_the_dashboards_user_reads_and_cannot_write(
    secured_kafka: SecuredKafka, chain: Output
) -> None:
    kafka = secured_kafka.as_user(DASHBOARD).kafka
    (record,) = follow(kafka, NEST_LOGS.name, "earliest", 1)
    assert body(record, pretty=False)
    producer = new_producer(kafka, max_block_ms=5_000, enable_idempotence=False)
    with pytest.raises(TopicAuthorizationFailedError):
        producer.send(NEST_LOGS.name, b"{}").get(timeout=10)
    producer.close()
    with pytest.raises(UserError, match="user dashboard may not Write the topic nest-logs"):
        Sender(kafka)


def test_the_producers_user_writes_and_cannot_read(
    secured_kafka: SecuredKafka, chain: Output
) -> None:
    kafka = secured_kafka.as_user(PRODUCER).kafka
    with pytest.raises(UserError, match="user producer may not Read nest-logs"):
        next(follow(kafka, NEST_LOGS.name, "earliest", 1))
    with pytest.raises(UserError, match=r"nest-camera-stats, or the Kafka user producer may not"):
        next(follow(kafka, CAMERA_STATS.name, "earliest", 1))


# The operator's rights are on all names that begin like those of the topics, not on topics.
@pytest.mark.parametrize("user", [user for user in KAFKA_USERS if user != OPERATOR])
def test_each_user_has_the_rights_of_its_part(secured_kafka: SecuredKafka, user: str) -> None:
    require_rights(secured_kafka.as_user(user).kafka, topic_operations(user))


Refused = Callable[[str, dict[str, str]], str]


@pytest.fixture
def refused(monkeypatch: pytest.MonkeyPatch) -> Refused:
    """Run a command in this process; it must fail with exit code 1. What it says is returned."""

    def run(words: str, environment: dict[str, str]) -> str:
        from demo.cli import app

        for name, value in environment.items():
            monkeypatch.setenv(name, value)
        with pytest.raises(UserError) as error:
            app(words.split(), standalone_mode=False)
        assert error.value.exit_code == 1
        assert "\n" not in str(error.value)
        return str(error.value)

    return run


COMMANDS = (
    "topics",
    "produce --messages 1",
    "pipeline --once",
    "ready --within 1",
    "report",
    "check",
    "tail nest-logs -n 1",
    "send --device canary-camera",
    "topics --delete-up-to 0:0",
    "repair archive",
    "repair stats",
    "backfill --from 2026-01-01T00:00 --to 2026-01-01T01:00",
)


@pytest.mark.parametrize("words", COMMANDS)
def test_a_wrong_password_is_said_by_every_command(
    secured_kafka: SecuredKafka, refused: Refused, words: str, tmp_path: Path
) -> None:
    password = tmp_path / "password"
    password.write_text("a wrong one")
    wrong = {"NEST_KAFKA_PASSWORD_FILE": str(password)}
    said = refused(words, secured_kafka.environment(OPERATOR) | wrong)
    assert "does not let the user operator in: Authentication failed" in said
    assert "a wrong one" not in said


@pytest.mark.parametrize(
    ("user", "words", "says"),
    [
        (DASHBOARD, "produce --messages 1", "user dashboard may not Write the topic nest-logs"),
        (DASHBOARD, "pipeline --once", "user dashboard may not Write the topic nest-"),
        (
            DASHBOARD,
            "send --device canary-camera",
            "user dashboard may not Write the topic nest-logs",
        ),
        (
            DASHBOARD,
            "topics --delete-up-to 0:0",
            "user dashboard may not Delete the topic nest-logs",
        ),
        (PRODUCER, "pipeline --once", "the Kafka user producer may not Describe it"),
        (PRODUCER, "report", "nest-camera-stats, or the Kafka user producer may not Describe it"),
        (PRODUCER, "tail nest-logs -n 1 --from earliest", "user producer may not Read nest-logs"),
        (PRODUCER, "check", "the Kafka user producer may not Describe it"),
        (DASHBOARD, "topics", "user dashboard may not DescribeConfigs the topic nest-"),
        (PRODUCER, "topics", "user producer may not Create the topics"),
    ],
)
@pytest.mark.usefixtures("chain")
def test_a_missing_right_is_said_with_user_operation_and_topic(
    secured_kafka: SecuredKafka, refused: Refused, user: str, words: str, says: str
) -> None:
    assert says in refused(words, secured_kafka.environment(user))


def test_a_query_that_kafka_refuses_is_not_started_again_and_again(
    secured_kafka: SecuredKafka,
) -> None:
    """As where a right is taken away while the pipeline runs."""
    error = Exception(
        "org.apache.kafka.common.errors.TopicAuthorizationException: Not authorized to access "
        "topics: [nest-camera-stats]"
    )
    refused = lasting_failure(NO_SPARK, secured_kafka.as_user(DASHBOARD), Query.STATS, error)
    assert "The query stats cannot go on: The Kafka user dashboard may not Write" in str(refused)
    assert lasting_failure(NO_SPARK, secured_kafka.as_user(PIPELINE), Query.STATS, error) is None


def test_an_unknown_authority_and_a_client_without_tls_are_said(
    secured_kafka: SecuredKafka, tmp_path: Path
) -> None:
    ca = tmp_path / "ca.pem"
    ca.write_text(new_authority().certificate)
    other = secured_kafka.as_user(OPERATOR).model_copy(update={"kafka_ca_file": ca})
    with pytest.raises(UserError, match="is not accepted: self-signed certificate"):
        Sender(other.kafka)
    with pytest.raises(UserError, match="speaks TLS"):
        Sender(KafkaCluster(secured_kafka.settings.bootstrap_servers, options=GIVES_UP_SOON))


def test_a_producer_goes_on_after_its_newest_message_without_reading(
    secured_kafka: SecuredKafka, chain: Output
) -> None:
    from producer.resume import find_resume_point
    from producer.world.homes import build_home
    from producer.world.timeline import Timeline

    homes = [build_home(7, number) for number in range(3)]
    kafka = secured_kafka.as_user(PRODUCER).kafka
    point = find_resume_point(kafka, homes, lambda key: 0, Timeline(7, 0, 1), lambda moment: 1.0)
    with open_consumer(secured_kafka.as_user(OPERATOR).kafka) as consumer:
        newest = max(record.timestamp for record in records_in_topic(consumer, NEST_LOGS.name))
    assert point.moment == newest + 1
    assert "may not Read nest-logs" in str(point.new_because)


def test_clients_go_on_when_the_broker_was_killed(secured_kafka: SecuredKafka) -> None:
    with (
        open_consumer(secured_kafka.as_user(DASHBOARD).kafka) as consumer,
        closing(new_producer(secured_kafka.as_user(PRODUCER).kafka, acks="all")) as producer,
    ):
        before = sum(1 for _ in records_in_topic(consumer, NEST_LOGS.name))
        secured_kafka.broker.kill()
        secured_kafka.broker.start()
        producer.send(NEST_LOGS.name, key=b"canary-home", value=b"{}").get(timeout=60)
        assert sum(1 for _ in records_in_topic(consumer, NEST_LOGS.name)) == before + 1


def test_all_secrets_are_their_owners_alone(secured_kafka: SecuredKafka) -> None:
    secrets = list(secured_kafka.credentials.folder.rglob("*"))
    assert {path.name for path in secrets} >= {"password", "ca.key", "broker.pem"}
    for path in (*secrets, secured_kafka.folder / "kafka" / "server.properties"):
        assert not path.stat().st_mode & 0o077, path


def test_storage_made_with_users_is_not_opened_to_all(secured_kafka: SecuredKafka) -> None:
    folder = secured_kafka.folder
    unsecured = secured_kafka.settings.model_copy(update={"kafka_secure": False})
    with pytest.raises(UserError, match="was made with users: start it with --secure"):
        Broker(unsecured, folder / "kafka", folder / "rival.log").start()
