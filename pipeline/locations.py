"""device_locations: which zip code each device is in, read once and held in memory."""

from py4j.protocol import Py4JJavaError
from pyspark.errors import AnalysisException, PySparkException
from pyspark.sql import DataFrame, SparkSession
from pyspark.sql import functions as F

from contract.errors import UserError
from pipeline.spark.failures import is_not_permitted, is_transient, root_cause

LARGE = 50_000
"""A table of this many devices or more is not broadcast: Spark would send it anew for each
micro-batch, which takes 2 s for a million. Partitioned by device and kept, it takes 0.2 s."""


def read_locations(spark: SparkSession, uri: str) -> DataFrame:
    """Read the table as text (01002 stays so): device_id, zip_code (null where it is empty).

    The result carries its join strategy: a small table is marked for broadcast, a large one is
    partitioned by device_id.

    Raises UserError if the file cannot be read, is not UTF-8 or lacks a column, or a device_id is
    empty or occurs twice.
    """
    try:
        _refuse_other_encodings(spark, uri)
        table = (
            spark.read.option("header", True)
            .option("escape", '"')
            .option("multiLine", True)
            .option("encoding", "UTF-8")
            .csv(uri)
        )
    except AnalysisException as error:
        raise UserError(
            f"NEST_DEVICE_LOCATIONS={uri} cannot be read: {error.getMessage()}"
        ) from None
    except (Py4JJavaError, PySparkException) as error:
        if is_transient(error) and not is_not_permitted(error):
            raise
        raise UserError(
            f"NEST_DEVICE_LOCATIONS={uri} cannot be read: {root_cause(error)}"
        ) from None
    missing = {"device_id", "zip_code"} - set(table.columns)
    if missing:
        raise UserError(
            f"NEST_DEVICE_LOCATIONS={uri} has no column {' and no column '.join(sorted(missing))}; "
            "its first line must name device_id and zip_code."
        )
    locations = table.select(
        "device_id", F.when(F.col("zip_code") != "", F.col("zip_code")).alias("zip_code")
    ).persist()
    if _count_devices(locations, uri) < LARGE:
        return F.broadcast(locations)
    partitions = int(spark.conf.get("spark.sql.shuffle.partitions") or 1)
    return locations.repartition(partitions, "device_id").persist()


def locations_digest(locations: DataFrame) -> str:
    """Return a digest of device_id and zip_code; the order of the lines does not change it."""
    line = F.xxhash64("device_id", F.coalesce("zip_code", F.lit("")))
    total, count = locations.agg(F.sum(line.cast("decimal(38,0)")), F.count("*")).first() or (0, 0)
    return f"{count}-{int(total or 0) % (1 << 64):016x}"


def _refuse_other_encodings(spark: SparkSession, uri: str) -> None:
    """Raise UserError for a file that is not UTF-8: Spark would read other ids from it."""
    wrong = spark.read.text(uri).where("NOT is_valid_utf8(value)")
    if line := wrong.select(F.make_valid_utf8("value")).first():
        raise UserError(
            f"NEST_DEVICE_LOCATIONS={uri} is not UTF-8, for example in the line {line[0][:100]!r}. "
            "Save it as CSV in UTF-8."
        )


def _count_devices(locations: DataFrame, uri: str) -> int:
    """Return the number of devices; UserError if an id is empty or occurs twice."""
    has_no_id = F.col("device_id").isNull() | (F.col("device_id") == "")
    lines, without_id, devices = locations.agg(
        F.count("*"), F.count_if(has_no_id), F.count_distinct("device_id")
    ).collect()[0]
    if without_id:
        raise UserError(f"NEST_DEVICE_LOCATIONS={uri} has lines without a device_id.")
    if devices < lines:
        by_id = locations.groupBy("device_id").count()
        rows = by_id.where("count > 1").orderBy("device_id").limit(3).collect()
        names = ", ".join(row.device_id for row in rows)
        raise UserError(
            f"NEST_DEVICE_LOCATIONS={uri} has device_ids more than once: {names}. "
            "List each device once."
        )
    return int(devices)
