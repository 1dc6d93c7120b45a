"""Every setting of every room, read from environment variables ``NEST_*``."""

import os
import re
from datetime import timedelta
from difflib import get_close_matches
from pathlib import Path
from typing import Literal

from pydantic import Field, ValidationError, model_validator
from pydantic_settings import BaseSettings, SettingsConfigDict

from contract.duration import Duration, format_duration, parse_duration
from contract.errors import UserError
from contract.kafka.cluster import KafkaCluster
from contract.lake import TABLES, absolute_location, is_uri, resolved_location, table_location
from contract.object_store import ObjectStore, is_on_object_store
from contract.queries import Query
from contract.setting_types import (
    BootstrapServers,
    Endpoint,
    HostNames,
    KafkaOptions,
    LocalPath,
    Location,
    Memory,
    SparkMaster,
    StartingOffsets,
)

MIN_VERSION_RETENTION = timedelta(days=1)
"""No reader and no batch takes longer, not even a check or a first batch of a huge topic."""
STATUS_FILE_RETENTION = timedelta(hours=6)
"""How long replaced files of ``camera_status`` are kept: each MERGE writes the table anew, which is
1 GB a day for 2,000 cameras. Only the query alerts reads older files."""
MAX_STATUS_TRIGGER = MIN_VERSION_RETENTION / 2
MAX_ALERTS_TRIGGER = STATUS_FILE_RETENTION / 2
"""A query that follows a table has to read its changes before VACUUM deletes their files."""
OUT_OF_ORDER = timedelta(minutes=55)
"""How far a record may at least be out of order before the watermark can drop it."""
_MEANS_ANOTHER_PATH = re.compile(r"\\|%[0-9a-fA-F]{2}")
"""What delta-rs, which takes a local path for a URL, decodes."""
_NO_NUMBER = {
    "int_parsing": "it is not a whole number",
    "int_from_float": "it is not a whole number",
    "float_parsing": "it is not a number",
}
"""By pydantic's kind of error, in other words than its own."""
_NEAR = 0.75
"""From how much likeness on, of at most 1, a name may be another one with a slip in it."""
_MAY_HOLD_A_SECRET = ("kafka_options",)


class Settings(BaseSettings):
    """The settings with the defaults of the demo; ``docs/settings.md`` lists them."""

    model_config = SettingsConfigDict(
        env_prefix="NEST_", frozen=True, use_attribute_docstrings=True
    )

    # Where things are
    bootstrap_servers: BootstrapServers = "localhost:9092"
    """Kafka brokers, host:port, separated by commas."""
    kafka_security_protocol: Literal["PLAINTEXT", "SSL", "SASL_PLAINTEXT", "SASL_SSL"] = "PLAINTEXT"
    """How clients talk to Kafka: with TLS (`SSL`, `SASL_SSL`), with a user (`SASL_…`)."""
    kafka_sasl_mechanism: Literal["PLAIN", "SCRAM-SHA-256", "SCRAM-SHA-512"] = "SCRAM-SHA-512"
    """How a user's password is proved."""
    kafka_user: str | None = None
    """The Kafka user that this part is."""
    kafka_password_file: LocalPath | None = None
    """File with that user's password on its only line."""
    kafka_ca_file: LocalPath | None = None
    """PEM file with the CAs to trust for the brokers' certificates; by default the system's."""
    kafka_options: KafkaOptions = "{}"
    """Further client options by Java's names, as JSON such as `{"fetch.max.bytes": 1048576}`."""
    kafka_secure: bool = False
    """Whether the embedded Kafka asks for TLS and users, and commands are its users."""
    state: LocalPath = Path(".nest")
    """Folder of Kafka's log, the jars and the services' logs; lake and checkpoints are apart."""
    lake: Location = ".nest/lake"
    """Root of the Delta tables: a path, `s3a://bucket/folder`, or a URI that Spark has jars for."""
    checkpoints: Location = ".nest/checkpoints"
    """Root of the queries' checkpoints: a path, or a URI as for the lake."""
    device_locations: Location = "data/device_locations.csv"
    """CSV file with at least the columns device_id and zip_code: a path or URI."""
    s3_endpoint: Endpoint | None = None
    """Address of the S3-compatible store of `s3a://` URIs; by default AWS's."""
    s3_region: str = "us-east-1"
    """The store's region."""
    s3_access_key: str | None = None
    """Key of the store; by default what AWS's libraries find, as in the role of the machine."""
    s3_secret_key_file: LocalPath | None = None
    """File with the secret that belongs to the key, on its only line."""

    # The topics, when they are created
    partitions: int = Field(4, gt=0)
    """Partitions of nest-logs, each for a task of its own; choose before the first start."""
    replication_factor: int | None = Field(None, gt=0)
    """Brokers that keep each message; by default as many as the brokers say, 3 in production."""
    min_insync_replicas: int | None = Field(None, gt=0)
    """Brokers that must have a message before it is acknowledged; by default as the brokers say."""

    # What the numbers mean
    threshold: int = Field(1000, ge=0)
    """The report shows the zip codes and hours with more sightings than this."""
    lateness: Duration = parse_duration("1 hour")
    """How long after an event's start a record may still count for it."""
    clock_skew: Duration = parse_duration("5 minutes")
    """How far an event may be ahead of its record's timestamp before it is from the future."""
    watermark: Duration = parse_duration("2 hours")
    """How long Spark keeps state; at least NEST_LATENESS, NEST_CLOCK_SKEW and, for records out of
    order, 55 minutes together."""

    # The pipeline
    spark_master: SparkMaster = "local[*]"
    """Spark master."""
    spark_memory: Memory = "1g"
    """Heap of the driver, which does all the work in local mode."""
    spark_ui_port: int = Field(4040, ge=0, le=65535)
    """First port tried for the Spark UI."""
    shuffle_partitions: int = Field(2, gt=0)
    """Tasks of the counting stages; fixed by the checkpoint once the query has run."""
    state_store: Literal["rocksdb", "heap"] = "rocksdb"
    """`rocksdb` keeps the state on disk. `heap` is a little faster, but the heap limits it. The
    first start of the query fixes the choice."""
    starting_offsets: StartingOffsets = "earliest"
    """Where a query without a checkpoint starts: earliest, latest, or JSON offsets by partition.
    The first start keeps the offsets of `latest` beside the checkpoints, for the queries that begin
    later."""
    max_offsets_per_trigger: int | None = Field(None, gt=0)
    """Most records that a micro-batch reads from Kafka; by default all there are."""
    fail_on_data_loss: bool = True
    """Whether a query stops when Kafka no longer has records that the query has not read, and does
    not start when a topic that it reads or writes was created again."""
    archive_trigger: Duration = parse_duration("10 seconds")
    """How often the archive writes a batch while many messages come."""
    archive_max_delay: Duration = parse_duration("60 seconds")
    """For how long the archive waits for more while few messages come, which saves files, too."""
    stats_trigger: Duration = parse_duration("1 second")
    """How often the counts are updated while many messages come."""
    stats_max_delay: Duration = parse_duration("3 seconds")
    """For how long the counts wait for more while few messages come, which saves processor time."""
    sightings: bool = True
    """Whether the query sightings runs; it takes a task slot for each partition of nest-logs."""
    status_trigger: Duration = Field(parse_duration("30 seconds"), le=MAX_STATUS_TRIGGER)
    """How often the newest state of the cameras is brought up to date; at most 12 hours."""
    alerts_trigger: Duration = Field(parse_duration("10 seconds"), le=MAX_ALERTS_TRIGGER)
    """How often that state is looked at for changes to alert about; at most 3 hours."""
    silent_after: Duration = parse_duration("6 hours")
    """How long a camera may send nothing, while others send, before it counts as silent. A change
    applies to silences that begin later."""

    # The tables
    maintenance_interval: Duration = parse_duration("1 hour")
    """How often the running pipeline compacts and cleans the tables; `0 seconds` is never."""
    version_retention: Duration = Field(parse_duration("2 days"), ge=MIN_VERSION_RETENTION)
    """How long old versions of `camera` and `quarantine` can be read; at least a day."""

    # The simulated world
    seed: int = 1
    """Seed of the simulation: the same seed gives the same homes and the same events."""
    homes: int = Field(1000, gt=0)
    """Number of homes."""
    history: Duration = parse_duration("24 hours")
    """How much of the past the producer simulates before it goes live."""
    rate: float | None = Field(None, gt=0, le=100_000)
    """Live messages per second, up to 100,000; by default as in the history's busiest hour."""
    speed: float | None = Field(None, gt=0)
    """Replay the history at this multiple of real time; by default as fast as possible."""
    dirt_duplicate: float | None = Field(None, ge=0, le=1)
    """Fraction of messages sent twice; off by default, 0.01 in `nest up`."""
    dirt_late: float | None = Field(None, ge=0, le=1)
    """Fraction of messages sent up to 28 minutes late; off by default, 0.005 in `nest up`."""
    dirt_malformed: float | None = Field(None, ge=0, le=1)
    """Fraction of messages followed by an invalid one; off by default, 0.001 in `nest up`."""
    dirt_unplaced: float | None = Field(None, ge=0, le=1)
    """Fraction followed by one of an unknown device; off by default, 0.002 in `nest up`."""
    dirt_future: float | None = Field(None, ge=0, le=1)
    """Fraction followed by an event from the future; off by default, 0.001 in `nest up`."""

    # The demo
    bind_address: str = "127.0.0.1"
    """Where dashboard, metrics and the Spark UI listen; 0.0.0.0 inside a container."""
    dashboard_port: int = Field(8501, ge=0, le=65535)
    """First port tried for the dashboard."""
    dashboard_hosts: HostNames = "localhost,127.0.0.1"
    """Host names that the dashboard answers, by commas; add the name of a proxy before it."""
    metrics_port: int = Field(9464, ge=0, le=65535)
    """Port of the metrics that Prometheus scrapes; `nest up` takes the next free one."""
    kafka_memory: Memory = "512m"
    """Heap of the embedded Kafka."""
    log_level: Literal["fatal", "error", "warn", "info", "debug"] = "fatal"
    """What Spark itself logs; the cause of a failed query is printed in any case."""

    @model_validator(mode="after")
    def _state_outlives_lateness(self) -> "Settings":
        # A camera whose clock is ahead moves the watermark on, by up to the clock skew.
        if self.watermark < self.lateness + self.clock_skew + OUT_OF_ORDER:
            raise ValueError(
                "NEST_WATERMARK must be at least NEST_LATENESS, NEST_CLOCK_SKEW and "
                f"{format_duration(OUT_OF_ORDER)} together: else Spark forgets an hour while "
                "messages still count for it"
            )
        return self

    @model_validator(mode="after")
    def _tables_and_checkpoints_lie_apart(self) -> "Settings":
        lake, checkpoints = map(resolved_location, (self.lake, self.checkpoints))
        tables = {f"{table_location(lake, table)}/" for table in TABLES}
        in_checkpoints = {f"{table_location(checkpoints, query)}/" for query in Query}
        if (
            tables & in_checkpoints
            or f"{checkpoints}/".startswith(tuple(tables))
            or f"{lake}/".startswith(tuple(in_checkpoints))
        ):
            raise ValueError(
                f"NEST_LAKE={self.lake} and NEST_CHECKPOINTS={self.checkpoints}: a table and a "
                "checkpoint would share a folder, and to clean one deletes the other. Name two "
                "folders, neither of them in the other"
            )
        return self

    @model_validator(mode="after")
    def _lake_can_be_read(self) -> "Settings":
        folder = absolute_location(self.lake)
        if not is_uri(folder) and (found := _MEANS_ANOTHER_PATH.search(folder)):
            raise ValueError(
                f"NEST_LAKE is in {folder}, and with {found[0]} in it the tables there cannot be "
                "read. Choose a folder without it in its path"
            )
        return self

    @model_validator(mode="after")
    def _kafka_settings_belong_together(self) -> "Settings":
        protocol = self.kafka_security_protocol
        if protocol.startswith("SASL_") != (self.kafka_user is not None):
            raise ValueError(
                f"NEST_KAFKA_SECURITY_PROTOCOL={protocol} and NEST_KAFKA_USER={self.kafka_user}: a "
                "user is for SASL_SSL or SASL_PLAINTEXT, and these need one"
            )
        if (self.kafka_user is None) != (self.kafka_password_file is None):
            raise ValueError("NEST_KAFKA_USER and NEST_KAFKA_PASSWORD_FILE are set together")
        if self.kafka_ca_file is not None and not protocol.endswith("SSL"):
            raise ValueError(
                f"NEST_KAFKA_CA_FILE is for TLS, and NEST_KAFKA_SECURITY_PROTOCOL is {protocol}"
            )
        return self

    @model_validator(mode="after")
    def _a_key_has_its_secret(self) -> "Settings":
        if (self.s3_access_key is None) != (self.s3_secret_key_file is None):
            raise ValueError("NEST_S3_ACCESS_KEY and NEST_S3_SECRET_KEY_FILE are set together")
        return self

    @model_validator(mode="after")
    def _replicas_suffice(self) -> "Settings":
        factor, in_sync = self.replication_factor, self.min_insync_replicas
        if factor and in_sync and in_sync > factor:
            raise ValueError(
                f"NEST_MIN_INSYNC_REPLICAS={in_sync} is more than "
                f"NEST_REPLICATION_FACTOR={factor}: no message could be acknowledged"
            )
        return self

    @property
    def queries(self) -> tuple[Query, ...]:
        """The queries that the pipeline runs, in the order in which they start."""
        return tuple(query for query in Query if self.sightings or query != Query.SIGHTINGS)

    @property
    def stats_interval(self) -> timedelta:
        """The longest time between two batches of the counts while messages come."""
        return max(self.stats_trigger, self.stats_max_delay)

    @property
    def archive_interval(self) -> timedelta:
        """The longest time between two batches of the archive while messages come."""
        return max(self.archive_trigger, self.archive_max_delay)

    @property
    def status_interval(self) -> timedelta:
        """The longest time from a message to its camera's state, beside what the batches take."""
        return self.archive_interval + self.status_trigger

    @property
    def alerts_interval(self) -> timedelta:
        """The longest time from a message to its alert, beside what the batches take."""
        return self.status_interval + self.alerts_trigger

    @property
    def object_store(self) -> ObjectStore | None:
        """The object store, if lake, checkpoints or device locations are on one."""
        uris = (self.lake, self.checkpoints, self.device_locations)
        if not any(map(is_on_object_store, uris)):
            return None
        return ObjectStore(
            self.s3_endpoint, self.s3_region, self.s3_access_key, self.s3_secret_key_file
        )

    @property
    def kafka(self) -> KafkaCluster:
        """The Kafka cluster, and as whom its clients talk to it."""
        return KafkaCluster(
            bootstrap_servers=self.bootstrap_servers,
            security_protocol=self.kafka_security_protocol,
            sasl_mechanism=self.kafka_sasl_mechanism,
            user=self.kafka_user,
            password_file=self.kafka_password_file,
            ca_file=self.kafka_ca_file,
            options=self.kafka_options,
        )

    @property
    def spark_jars(self) -> Path:
        """Folder of the connector jars that `nest jars` resolves; a cluster brings its own."""
        return self.state / "jars" / "spark"

    @property
    def s3a_jars(self) -> Path:
        """Folder of the jars with which Spark reaches an object store (`nest jars --s3a`)."""
        return self.state / "jars" / "s3a"


def misnamed_settings() -> dict[str, str | None]:
    """Return the variables that begin as a setting and are none, each with the one it is like."""
    known = {field.upper() for field in Settings.model_fields}
    given = {name.removeprefix("NEST_") for name in os.environ if name.startswith("NEST_")}
    return {f"NEST_{name}": _like(name, known) for name in sorted(given - known)}


def _like(name: str, known: set[str]) -> str | None:
    """Return the variable that somebody may have meant, if there is one with nearly that name.

    The prefix, which all have, makes no two names alike.
    """
    near = get_close_matches(name, known, 1, cutoff=_NEAR)
    return f"NEST_{near[0]}" if near else None


def load_settings() -> Settings:
    """Read the settings from the environment.

    Raises UserError naming every variable that cannot be used, its value and why.
    """
    try:
        return Settings()
    except ValidationError as error:
        lines = [
            "".join(f"NEST_{_shown(name, each['input'])}: " for name in map(str, each["loc"]))
            + _NO_NUMBER.get(each["type"], each["msg"].removeprefix("Value error, "))
            for each in error.errors()
        ]
        raise UserError("These settings cannot be used:\n  " + "\n  ".join(lines)) from None


def _shown(name: str, value: object) -> str:
    """Return a setting with its value, but not the value of one that may hold a secret."""
    return name.upper() if name in _MAY_HOLD_A_SECRET else f"{name.upper()}={value!s}"
