"""An object store by one set of settings, for Spark, delta-rs and Arrow; what is wrong is said."""

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pyarrow as pa
import pytest
from deltalake import DeltaTable, write_deltalake

from check.forgotten import read_forgotten
from check.locations import read_locations
from contract.arrow_filesystems import table_filesystem
from contract.bucket_access import open_store, require_buckets
from contract.errors import UserError
from contract.forgotten import Forgotten
from contract.lake import FORGOTTEN_FILE
from contract.object_store import ObjectStore
from contract.settings import Settings
from dashboard.data.device_places import read_device_places


@pytest.fixture
def store(object_store: Settings, monkeypatch: pytest.MonkeyPatch) -> Settings:
    """The store's settings, which this process uses."""
    assert object_store.object_store is not None
    for name, value in object_store.object_store.environment().items():
        monkeypatch.setenv(name, value)
    return object_store


def test_delta_rs_and_arrow_find_the_store(store: Settings) -> None:
    assert store.object_store is not None
    require_buckets(store)
    write_deltalake(f"{store.lake}/t", pa.table({"a": [1, 2]}))
    table = DeltaTable(f"{store.lake}/t")
    files = table_filesystem(table.table_uri)
    assert files is not None
    assert table.to_pyarrow_dataset(filesystem=files).count_rows() == 2
    bucket = open_store(store.object_store, store.lake)
    bucket.put("places.csv", b"device_id,zip_code\ncam1,01002\n")
    places = f"{store.lake}/places.csv"
    assert list(read_locations(places)) == [("cam1", "01002")]
    assert read_device_places(places).devices.to_dict("records") == [
        {"device_id": "cam1", "zip_code": "01002"}
    ]
    assert read_forgotten(store.lake) is None
    bucket.put(FORGOTTEN_FILE, Forgotten("salt", frozenset({"digest"})).encode().encode())
    forgotten = read_forgotten(store.lake)
    assert forgotten is not None
    assert forgotten.digests == {"digest"}


@pytest.mark.parametrize(
    ("wrong", "says"),
    [
        (
            {"lake": "s3a://nowhere/lake"},
            "NEST_LAKE=s3a://nowhere/lake: there is no bucket",
        ),
        ({"checkpoints": "s3a://nowhere"}, "NEST_CHECKPOINTS=s3a://nowhere: there is no bucket"),
        ({"lake": "s3a:///lake"}, "NEST_LAKE=s3a:///lake names no bucket"),
        ({"s3_access_key": "mine"}, "does not know the key mine, or its secret is wrong"),
        ({"s3_endpoint": "http://127.0.0.1:1"}, "no object store answers at http://127.0.0.1:1"),
        ({"s3_secret_key_file": Path("/nowhere")}, "NEST_S3_SECRET_KEY_FILE=/nowhere cannot be"),
    ],
)
def test_what_is_wrong_is_one_sentence(
    object_store: Settings, wrong: dict[str, object], says: str
) -> None:
    with pytest.raises(UserError, match=says) as error:
        require_buckets(object_store.model_copy(update=wrong))
    assert "\n" not in str(error.value)


@pytest.mark.parametrize(
    ("status", "code", "says"),
    [
        (301, "", "says that the region is wrong. Set NEST_S3_REGION to the bucket's"),
        (400, "AuthorizationHeaderMalformed", "says that the region is wrong"),
        (405, "MethodNotAllowed", "does not list the bucket nest: it answers 405 Method Not"),
    ],
)
def test_a_store_that_answers_is_not_said_to_be_away(
    tmp_path: Path, status: int, code: str, says: str
) -> None:
    secret = tmp_path / "secret"
    secret.write_text("secret")
    with refusing_object_store(status, f"<Error><Code>{code}</Code></Error>".encode()) as endpoint:
        settings = Settings(
            lake="s3a://nest/lake",
            s3_endpoint=endpoint,
            s3_access_key="key",
            s3_secret_key_file=secret,
        )
        with pytest.raises(UserError, match=says):
            require_buckets(settings)


@contextmanager
def refusing_object_store(status: int, body: bytes) -> Iterator[str]:
    """An object store that answers everything with the same error; yields its address."""

    class Refusal(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self.send_response(status)
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *arguments: object) -> None:
            pass

    with ThreadingHTTPServer(("127.0.0.1", 0), Refusal) as server:
        threading.Thread(target=server.serve_forever).start()
        try:
            yield f"http://127.0.0.1:{server.server_port}"
        finally:
            server.shutdown()


def test_a_wrong_secret_is_said_and_not_shown(object_store: Settings, tmp_path: Path) -> None:
    secret = tmp_path / "secret"
    secret.write_text("not the right one")
    with pytest.raises(UserError, match="or its secret is wrong") as error:
        require_buckets(object_store.model_copy(update={"s3_secret_key_file": secret}))
    assert "not the right one" not in str(error.value)


def test_without_an_object_store_nothing_is_asked_for() -> None:
    assert Settings().object_store is None
    require_buckets(Settings())


def test_without_an_endpoint_and_a_key_it_is_aws_with_the_role_of_the_machine() -> None:
    store = ObjectStore(region="eu-central-1")
    assert store.spark_conf() == {"spark.hadoop.fs.s3a.endpoint.region": "eu-central-1"}
    assert store.environment() == {
        "AWS_REGION": "eu-central-1",
        "AWS_DEFAULT_REGION": "eu-central-1",
    }
