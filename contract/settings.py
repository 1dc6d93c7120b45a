"""Every setting of every room, read from the environment as ``NEST_*``."""

from datetime import timedelta
from pathlib import Path
from typing import Literal

from pydantic import Field, ValidationError, model_validator
from pydantic_settings import BaseSettings, SettingsConfigDict

from contract.duration import Duration, parse_duration
from contract.errors import UserError


def _duration(text: str) -> Duration:
    return parse_duration(text)  # type: ignore[return-value]


class Settings(BaseSettings):
    """The settings with the defaults of the demo; ``docs/settings.md`` lists them."""

    model_config = SettingsConfigDict(
        env_prefix="NEST_", frozen=True, use_attribute_docstrings=True
    )

    # Where things are
    bootstrap_servers: str = "localhost:9092"
    """Kafka brokers, host:port, separated by commas."""
    state: Path = Path(".nest")
    """Folder for what runs leave behind: the embedded Kafka's log, jars, process logs."""
    lake: str = ".nest/lake"
    """Root of the Delta tables, a path or any URI that Spark can write."""
    checkpoints: str = ".nest/checkpoints"
    """Root of the queries' checkpoints, a path or URI."""
    device_locations: str = "data/device_locations.csv"
    """CSV with at least device_id and zip_code, a path or URI."""

    # What the numbers mean
    threshold: int = Field(1000, ge=0)
    """The report shows zip codes and hours with more sightings than this."""
    lateness: Duration = _duration("1 hour")
    """How long after an event a record may still count for it."""
    clock_skew: Duration = _duration("5 minutes")
    """How far an event may be ahead of its record before it is from the future."""
    watermark: Duration = _duration("2 hours")
    """How long Spark keeps an hour's state; longer than lateness plus an hour of disorder."""

    # The pipeline
    spark_master: str = "local[*]"
    """Where Spark runs."""
    spark_memory: str = "1g"
    """Heap of the driver, which in local mode does all the work."""
    spark_ui_port: int = Field(4040, ge=0, le=65535)
    """First port tried for the Spark UI."""
    shuffle_partitions: int = Field(2, gt=0)
    """Tasks of the counting stages; kept in the checkpoint of a query that has begun."""
    state_store: Literal["heap", "rocksdb"] = "heap"
    """Where sightings are remembered: heap, or RocksDB (on disk) for millions; kept likewise."""
    starting_offsets: str = "earliest"
    """Where a new query starts: earliest, latest, or JSON offsets by partition."""
    max_offsets_per_trigger: int | None = Field(None, gt=0)
    """Most records a micro-batch takes from Kafka; by default all there are."""
    fail_on_data_loss: bool = True
    """Whether a query stops when records that it has not read are gone from Kafka."""
    archive_trigger: Duration = _duration("10 seconds")
    """How often the archive writes a batch, one file each."""
    stats_trigger: Duration = _duration("1 second")
    """How often the counts are brought up to date."""

    # The simulated world
    seed: int = 1
    """The same seed gives the same homes, and these the same life."""
    homes: int = Field(1000, gt=0)
    """Number of homes."""
    history: Duration = _duration("24 hours")
    """How much of the past is simulated before the producer goes live."""
    rate: float | None = Field(None, gt=0)
    """Live messages a second; by default the history's busiest hour's."""
    speed: float | None = Field(None, gt=0)
    """History at so many times real time; by default as fast as the machine can."""
    dirt_duplicate: float | None = Field(None, ge=0, le=1)
    """Fraction of messages sent twice."""
    dirt_late: float | None = Field(None, ge=0, le=1)
    """Fraction of messages sent up to 30 minutes after their own timestamp."""
    dirt_malformed: float | None = Field(None, ge=0, le=1)
    """Fraction of messages followed by one that is not valid."""
    dirt_unplaced: float | None = Field(None, ge=0, le=1)
    """Fraction of messages followed by one of a device that device_locations does not know."""
    dirt_future: float | None = Field(None, ge=0, le=1)
    """Fraction of messages followed by one whose event is in the future."""

    # The demo
    bind_address: str = "127.0.0.1"
    """Where the dashboard and the Spark UI listen; 0.0.0.0 inside a container."""
    dashboard_port: int = Field(8501, ge=0, le=65535)
    """First port tried for the dashboard."""
    kafka_memory: str = "512m"
    """Heap of the embedded Kafka."""
    log_level: Literal["fatal", "error", "warn", "info", "debug"] = "fatal"
    """How much Spark itself logs; why a query died is said in any case."""

    @model_validator(mode="after")
    def _state_outlives_lateness(self) -> "Settings":
        if self.watermark < self.lateness + timedelta(hours=1):
            raise ValueError(
                "NEST_WATERMARK must be at least NEST_LATENESS and an hour: else Spark forgets an "
                "hour while messages still count for it"
            )
        return self

    @property
    def spark_jars(self) -> Path:
        """Folder of the connector jars that `nest jars` resolves; a cluster brings its own."""
        return self.state / "jars" / "spark"


def load_settings() -> Settings:
    """Read the settings from the environment.

    Raises UserError naming every variable that cannot be used, its value and why.
    """
    try:
        return Settings()
    except ValidationError as error:
        lines = [
            f"NEST_{'_'.join(map(str, e['loc'])).upper()}={e['input']!s}: {e['msg']}"
            if e["loc"]
            else e["msg"]
            for e in error.errors()
        ]
        raise UserError("These settings cannot be used:\n  " + "\n  ".join(lines)) from None
