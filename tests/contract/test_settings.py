"""Settings that cannot be used are named, with their value and what would do."""

from datetime import timedelta
from pathlib import Path

import pytest

from contract.duration import format_duration, parse_duration
from contract.errors import UserError
from contract.settings import load_settings, misnamed_settings


@pytest.mark.parametrize(
    ("lake", "checkpoints"),
    [
        ("/nest", "/nest"),
        ("s3a://bucket/nest", "s3a://bucket/nest/"),
        ("/nest", "/nest/camera/checkpoints"),
        ("/nest/camera_status/lake", "/nest"),
    ],
)
def test_a_table_and_a_checkpoint_that_would_share_a_folder_are_refused(
    monkeypatch: pytest.MonkeyPatch, lake: str, checkpoints: str
) -> None:
    monkeypatch.setenv("NEST_LAKE", lake)
    monkeypatch.setenv("NEST_CHECKPOINTS", checkpoints)
    with pytest.raises(UserError, match="a table and a checkpoint would share a folder"):
        load_settings()


def test_they_are_compared_where_links_lead(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    (tmp_path / "lake").symlink_to(tmp_path / "checkpoints")
    (tmp_path / "round").symlink_to(tmp_path / "round")
    monkeypatch.setenv("NEST_CHECKPOINTS", str(tmp_path / "checkpoints"))
    for lake, says in (("lake", "would share a folder"), ("round", "leads to itself")):
        monkeypatch.setenv("NEST_LAKE", str(tmp_path / lake))
        with pytest.raises(UserError, match=says):
            load_settings()


def test_one_may_lie_beside_the_tables_or_checkpoints_of_the_other(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    for lake, checkpoints in (("/nest", "/nest/checkpoints"), ("/nest/lake", "/nest")):
        monkeypatch.setenv("NEST_LAKE", lake)
        monkeypatch.setenv("NEST_CHECKPOINTS", checkpoints)
        assert load_settings().lake == lake


@pytest.mark.parametrize("folder", ["feature%2Fx", "a\\b"])
def test_a_lake_that_could_be_written_and_not_read_is_refused(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, folder: str
) -> None:
    (tmp_path / folder).mkdir()
    monkeypatch.chdir(tmp_path / folder)
    monkeypatch.delenv("NEST_LAKE", raising=False)
    with pytest.raises(UserError, match=r"NEST_LAKE is in .*Choose a folder without it"):
        load_settings()


@pytest.mark.parametrize(
    ("name", "value", "says"),
    [
        ("NEST_LATENESS", "soon", "write for example '1 hour'"),
        ("NEST_LATENESS", "99999999999 days", "too long; write at most '3653 days'"),
        ("NEST_HISTORY", "30000 days", "'30000 days' is too long"),
        ("NEST_LATENESS", "3 hours", "NEST_WATERMARK must be at least"),
        ("NEST_WATERMARK", "1 minute", "NEST_WATERMARK must be at least"),
        ("NEST_WATERMARK", "119 minutes", "NEST_WATERMARK must be at least"),
        ("NEST_CLOCK_SKEW", "6 minutes", "NEST_CLOCK_SKEW and 55 minutes together"),
        ("NEST_HOMES", "0", "greater than 0"),
        ("NEST_HOMES", "many", "NEST_HOMES=many: it is not a whole number"),
        ("NEST_RATE", "fast", "NEST_RATE=fast: it is not a number"),
        ("NEST_STATUS_TRIGGER", "13 hours", "less than or equal to 12 hours"),
        ("NEST_ALERTS_TRIGGER", "4 hours", "less than or equal to 3 hours"),
        ("NEST_RATE", "1e9", "less than or equal to 100000"),
        ("NEST_DASHBOARD_PORT", "99999", "less than or equal to 65535"),
        ("NEST_BOOTSTRAP_SERVERS", "foo:bar", "'foo:bar' is not host:port"),
        ("NEST_BOOTSTRAP_SERVERS", "kafka", "'kafka' is not host:port"),
        ("NEST_BOOTSTRAP_SERVERS", "a:1,b:70000", "'b:70000' is not host:port"),
        ("NEST_SPARK_MEMORY", "a lot", "'a lot' is not an amount of memory"),
        ("NEST_SPARK_MEMORY", "0g", "'0g' is not an amount of memory"),
        ("NEST_KAFKA_MEMORY", "512", "'512' is not an amount of memory"),
        ("NEST_SPARK_MASTER", "locally", "'locally' is not a Spark master"),
        ("NEST_DASHBOARD_HOSTS", "http://cameras.example", "is not a host name"),
        ("NEST_DASHBOARD_HOSTS", "localhost:8501", "'localhost:8501' is not a host name"),
        ("NEST_DASHBOARD_HOSTS", "", "'' is not a host name"),
        ("NEST_DASHBOARD_HOSTS", "*", "write names without scheme and port"),
        ("NEST_STARTING_OFFSETS", "yesterday", "'yesterday' is no starting position"),
        ("NEST_STARTING_OFFSETS", '{"nest-logs": 5}', "is no starting position"),
        ("NEST_STARTING_OFFSETS", '{"nest-logs": {"0": "5"}}', "is no starting position"),
        ("NEST_STARTING_OFFSETS", '{"a":' * 3000 + "1" + "}" * 3000, "is no starting position"),
        ("NEST_STARTING_OFFSETS", '{"nest_logs": {"0": 5}}', "is no starting position"),
        ("NEST_STARTING_OFFSETS", "[5]", "is no starting position"),
        ("NEST_STARTING_OFFSETS", "{}", "is no starting position"),
        ("NEST_S3_ENDPOINT", "minio:9000", "'minio:9000' is not the address of a store"),
        ("NEST_S3_ENDPOINT", "http://minio:9000/bucket", "is not the address of a store"),
        ("NEST_S3_ACCESS_KEY", "key", "NEST_S3_SECRET_KEY_FILE are set together"),
        ("NEST_REPLICATION_FACTOR", "0", "greater than 0"),
        ("NEST_STATE", "", "NEST_STATE=: is blank; write a path, or unset the variable"),
        ("NEST_LAKE", " ", "is blank"),
        ("NEST_CHECKPOINTS", "", "is blank"),
        ("NEST_DEVICE_LOCATIONS", "", "is blank"),
        ("NEST_KAFKA_CA_FILE", "", "is blank"),
        ("NEST_LAKE", "s3://bucket/lake", "write s3a://bucket/lake"),
        ("NEST_CHECKPOINTS", "s3n://bucket/x", "write s3a://bucket/x"),
        ("NEST_DEVICE_LOCATIONS", "S3://bucket/x.csv", "write s3a://bucket/x.csv"),
    ],
)
def test_a_setting_that_cannot_be_used_is_an_error_for_people(
    monkeypatch: pytest.MonkeyPatch, name: str, value: str, says: str
) -> None:
    monkeypatch.setenv(name, value)
    with pytest.raises(UserError, match=says):
        load_settings()


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("NEST_BOOTSTRAP_SERVERS", "kafka-1.example:9092,10.0.0.1:9093,[::1]:9094"),
        ("NEST_DASHBOARD_HOSTS", "localhost, cameras.example.com,192.0.2.1,::1"),
        ("NEST_SPARK_MEMORY", "1536m"),
        ("NEST_SPARK_MASTER", ""),
        ("NEST_SPARK_MASTER", "local[*, 3]"),
        ("NEST_SPARK_MASTER", "spark://master:7077"),
        ("NEST_S3_ENDPOINT", "http://[::1]:9000"),
        ("NEST_STARTING_OFFSETS", '{"nest-logs": {"0": 5, "1": -1, "2": -2}}'),
    ],
)
def test_a_setting_in_any_of_its_forms_is_taken_as_it_is(
    monkeypatch: pytest.MonkeyPatch, name: str, value: str
) -> None:
    monkeypatch.setenv(name, value)
    assert getattr(load_settings(), name.removeprefix("NEST_").lower()) == value


def test_a_path_may_begin_at_home_and_a_uri_stays_as_it_is(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("HOME", "/home/ada")
    monkeypatch.setenv("NEST_STATE", "~/state")
    monkeypatch.setenv("NEST_LAKE", "~/my lake")
    monkeypatch.setenv("NEST_CHECKPOINTS", "s3a://bucket/~/x")
    settings = load_settings()
    assert settings.state == Path("/home/ada/state")
    assert (settings.lake, settings.checkpoints) == ("/home/ada/my lake", "s3a://bucket/~/x")


@pytest.mark.parametrize(
    ("written", "read"),
    [
        ("file:///data/lake", "/data/lake"),
        ("FILE://localhost/data/lake", "/data/lake"),
        ("file:/data/lake", "/data/lake"),
        ("S3A://Bucket/Lake", "s3a://Bucket/Lake"),
    ],
)
def test_a_place_has_one_spelling_so_that_its_lock_is_one(
    monkeypatch: pytest.MonkeyPatch, written: str, read: str
) -> None:
    monkeypatch.setenv("NEST_LAKE", written)
    assert load_settings().lake == read


def test_settings_come_from_the_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NEST_THRESHOLD", "5")
    monkeypatch.setenv("NEST_LATENESS", "2 hours 30 minutes")
    monkeypatch.setenv("NEST_WATERMARK", "1 day")
    settings = load_settings()
    assert settings.threshold == 5
    assert settings.lateness == timedelta(hours=2, minutes=30)


@pytest.mark.parametrize("text", ["1 hour", "90 seconds", "2 days", "150 milliseconds"])
def test_a_duration_is_written_as_it_is_read(text: str) -> None:
    assert format_duration(parse_duration(text)) == text


@pytest.mark.parametrize(
    ("name", "meant"),
    [
        ("NEST_LATENES", "NEST_LATENESS"),
        ("NEST_CLOCKSKEW", "NEST_CLOCK_SKEW"),
        ("NEST_HOME", "NEST_HOMES"),
        ("NEST_KAFKA_BOOTSTRAP_SERVERS", "NEST_BOOTSTRAP_SERVERS"),
        ("NEST_TYPO", None),
        ("NEST_TEST_DB", None),
        ("NEST_X", None),
    ],
)
def test_of_a_misnamed_setting_only_a_near_name_is_suggested(
    monkeypatch: pytest.MonkeyPatch, name: str, meant: str | None
) -> None:
    monkeypatch.setenv(name, "1")
    assert misnamed_settings()[name] == meant
