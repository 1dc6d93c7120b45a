"""The embedded Kafka keeps its records, stays on this machine and says why it does not start."""

import stat
from collections.abc import Iterator
from pathlib import Path

import pytest

from contract.errors import UserError
from contract.kafka.bounded_read import read_range
from contract.kafka.connections import open_admin, open_consumer, partitions_of
from contract.settings import load_settings
from contract.topic_admin import topic_differences
from contract.topics import NEST_LOGS
from demo.stack.broker import Broker
from demo.stack.kafka_java import kafka_class_archive
from demo.stack.kept_seed import keep_seed
from demo.stack.ports import free_port
from demo.stack.working_folder import link_jars
from tests.fixtures.kafka import append, renew_topics

pytestmark = pytest.mark.kafka


@pytest.fixture(scope="module")
def running_broker(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Broker]:
    """A broker of this file's own, with its folder."""
    folder = tmp_path_factory.mktemp("running")
    with Broker(load_settings(), folder / "data", folder / "broker.log", free_port()) as broker:
        yield broker


def values(bootstrap_servers: str) -> list[bytes]:
    with open_consumer(bootstrap_servers) as consumer:
        partitions = partitions_of(consumer, NEST_LOGS.name)
        start, end = consumer.beginning_offsets(partitions), consumer.end_offsets(partitions)
        return [record.value for record in read_range(consumer, start, end)]


def test_a_broker_that_starts_again_kept_its_records_for_its_owner_alone(
    tmp_path: Path,
) -> None:
    def broker() -> Broker:
        return Broker(load_settings(), tmp_path / "data", tmp_path / "broker.log", free_port())

    (tmp_path / "data").mkdir(mode=0o755)
    with broker() as first:
        renew_topics(first.bootstrap_servers)
        append(first.bootstrap_servers, NEST_LOGS.name, (b"home", b"a message"))
    with broker() as second:
        assert values(second.bootstrap_servers) == [b"a message"]
        with open_admin(second.bootstrap_servers) as admin:
            assert topic_differences(admin) == []
    data = tmp_path / "data"
    assert stat.S_IMODE(data.stat().st_mode) == 0o700
    for path in (tmp_path / "broker.log", tmp_path / "broker.1.log", *data.rglob("*")):
        assert not path.stat().st_mode & 0o077, path


def test_the_folder_of_a_demo_that_has_kept_its_seed_is_its_owners_alone(tmp_path: Path) -> None:
    settings, data = load_settings(), tmp_path / "data"
    data.mkdir(mode=0o755)
    keep_seed(settings, data)
    Broker(settings, data, tmp_path / "broker.log", free_port())._make_folders()
    assert stat.S_IMODE(data.stat().st_mode) == 0o700


def test_the_log_is_in_its_folder_whatever_the_folder_is_called(tmp_path: Path) -> None:
    state = tmp_path / r"josé's \u0041 \ 家 🏠"
    state.mkdir()
    link_jars(load_settings(), state)
    settings = load_settings().model_copy(update={"state": state, "kafka_secure": True})
    with Broker(settings, state / "kafka", state / "broker.log", free_port()):
        assert (state / "kafka" / "log" / "meta.properties").exists()
    assert [path.name for path in tmp_path.iterdir()] == [state.name]


def test_a_port_that_is_taken_is_named(bootstrap_servers: str, tmp_path: Path) -> None:
    port = int(bootstrap_servers.split(":")[1])
    with pytest.raises(UserError, match=f"Port {port} is taken"):
        Broker(load_settings(), tmp_path / "data", tmp_path / "broker.log", port).start()


def test_a_folder_in_use_by_another_broker_is_said_and_left_alone(
    running_broker: Broker, tmp_path: Path
) -> None:
    before = (running_broker.data / "server.properties").read_text()
    rival = Broker(load_settings(), running_broker.data, tmp_path / "rival.log", free_port())
    with pytest.raises(UserError, match=rf"running on .* \(process {running_broker.pid}\)"):
        rival.start()
    assert (running_broker.data / "server.properties").read_text() == before


def test_kafka_has_mapped_the_archive_of_its_classes(running_broker: Broker) -> None:
    """Java says nothing where an archive does not fit: then it has not mapped it."""
    archive = kafka_class_archive(load_settings())
    assert archive.exists(), "`make test` writes it; so does `nest jars --share-classes`"
    assert str(archive) in Path(f"/proc/{running_broker.pid}/maps").read_text()
