"""The credentials of a secured Kafka: made once, for their owner alone, and renewed in time."""

import stat
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from typer.testing import CliRunner

from contract.errors import UserError
from contract.kafka.acls import PIPELINE, PRODUCER
from contract.settings import Settings
from demo.cli import app
from demo.commands.reset import find_leftovers, remove
from demo.stack.security.certificates import Signed, hosts_of, sign_broker, valid_until
from demo.stack.security.credentials import (
    AUTHORITY,
    BROKER,
    LOCAL_HOSTS,
    USERS,
    Credentials,
    as_user,
)


@pytest.fixture
def made(tmp_path: Path) -> Credentials:
    credentials = Credentials(tmp_path / "security")
    credentials.make()
    return credentials


def contents(credentials: Credentials) -> dict[str, str]:
    files = (path for path in credentials.folder.rglob("*") if path.is_file())
    return {str(path.relative_to(credentials.folder)): path.read_text() for path in files}


def test_each_user_has_a_password_of_its_own_in_a_file_of_its_owner(made: Credentials) -> None:
    assert len({made.password(user) for user in USERS}) == len(USERS)
    for path in (made.folder, *made.folder.rglob("*")):
        assert stat.S_IMODE(path.stat().st_mode) == (0o700 if path.is_dir() else 0o600), path


def test_a_folder_that_is_there_keeps_its_mode(tmp_path: Path) -> None:
    for name in (AUTHORITY, BROKER, PRODUCER):
        (tmp_path / name).mkdir()
        (tmp_path / name).chmod(0o755)
    tmp_path.chmod(0o755)
    Credentials(tmp_path).make()
    for folder in (tmp_path, tmp_path / AUTHORITY, tmp_path / PRODUCER):
        assert stat.S_IMODE(folder.stat().st_mode) == 0o755
    assert stat.S_IMODE((tmp_path / PIPELINE).stat().st_mode) == 0o700
    assert stat.S_IMODE((tmp_path / AUTHORITY / "ca.key").stat().st_mode) == 0o600


def test_a_folder_of_other_files_is_refused(tmp_path: Path) -> None:
    (tmp_path / "producer").mkdir()
    with pytest.raises(UserError, match="has files in it, and no credentials"):
        Credentials(tmp_path).make()
    assert [path.name for path in tmp_path.rglob("*")] == ["producer"]


def test_what_is_there_stays(made: Credentials) -> None:
    before = contents(made)
    made.make()
    assert contents(made) == before


def test_a_certificate_is_renewed_for_another_host_and_before_it_expires(
    made: Credentials,
) -> None:
    before, password = made.certificates.read_text(), made.password(PRODUCER)
    made.make([*LOCAL_HOSTS, "kafka"])
    other = made.certificates.read_text()
    assert (hosts_of(before), hosts_of(other)) == ({*LOCAL_HOSTS}, {*LOCAL_HOSTS, "kafka"})

    folder = made.folder / AUTHORITY
    authority = Signed((folder / "ca.key").read_text(), (folder / "ca.pem").read_text())
    soon = datetime.now(UTC) + timedelta(days=5)
    expiring = sign_broker(authority, LOCAL_HOSTS, until=soon)
    made.certificates.write_text(expiring.key + expiring.certificate)
    made.make()
    assert valid_until(made.certificates.read_text()) > soon + timedelta(days=300)
    assert made.password(PRODUCER) == password


def test_a_part_gets_the_paths_of_its_own_user_where_kafka_is_secured(tmp_path: Path) -> None:
    settings = Settings(state=tmp_path)
    assert as_user(settings, PIPELINE) is settings
    cluster = as_user(Settings(state=tmp_path, kafka_secure=True), PIPELINE).kafka
    assert (cluster.user, cluster.security_protocol) == (PIPELINE, "SASL_SSL")
    assert cluster.password_file == tmp_path / "security" / PIPELINE / "password"


def test_reset_removes_the_credentials(tmp_path: Path, made: Credentials) -> None:
    settings = Settings(
        state=tmp_path, lake=str(tmp_path / "lake"), checkpoints=str(tmp_path / "checkpoints")
    )
    found = find_leftovers(settings, everything=False)
    assert made.password_file(BROKER) in found
    remove(list(found))
    assert not made.folder.exists()


def test_rights_are_printed_for_each_user() -> None:
    printed = CliRunner().invoke(app, ["rights"], env={"COLUMNS": "160"}).stdout
    lines = [" ".join(line.split()) for line in printed.splitlines()]
    assert "producer Write, Describe topic nest-logs" in lines
    assert "pipeline Read group spark-kafka*" in lines
