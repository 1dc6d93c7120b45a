"""device_locations: which zip code each device is in, read once and held in memory."""

import csv

from py4j.protocol import Py4JJavaError
from pyspark.errors import AnalysisException, PySparkException
from pyspark.sql import DataFrame, SparkSession
from pyspark.sql import functions as F
from pyspark.sql.types import StringType, StructField, StructType

from contract.errors import UserError
from pipeline.spark.failures import is_not_permitted, is_transient, root_cause
from pipeline.spark.literal_path import literal_path

_WELL_QUOTED = r"^\ufeff?(?:\"(?:[^\"]++|\"\")*+\"(?=,|\r?\n|\r?\z)|[^\",\n][^,\n]*+|[,\n])*+"
"""What of a text is before the first quoted value that has something behind it, or no end."""
_NEVER_CLOSED = r"^\"(?:[^\"]++|\"\")*+\z"

LARGE = 50_000
"""A table of this many devices or more is not broadcast: Spark would send it anew for each
micro-batch, which takes 2 s for a million. Partitioned by device and kept, it takes 0.2 s."""


def read_locations(spark: SparkSession, uri: str) -> DataFrame:
    """Read the table as text (01002 stays so): device_id, zip_code (null where it is empty).

    The result carries its join strategy: a small table is marked for broadcast, a large one is
    partitioned by device_id.

    Raises UserError if the file cannot be read, is not UTF-8, has lines that end in different ways
    or a quoted value that does not end at a comma or a line's end, or lacks a column, or a
    device_id is empty or occurs twice.
    """
    try:
        _refuse_unusable_text(spark, uri)
        names = _column_names(spark, uri)
        table = (
            spark.read.option("header", True)
            .option("escape", '"')
            .option("multiLine", True)
            .option("encoding", "UTF-8")
            # To infer the columns Spark would take the path for a pattern, with escapes, too.
            .schema(StructType([StructField(name, StringType()) for name in names]))
            .csv(literal_path(uri))
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
    locations = table.select(
        "device_id", F.when(F.col("zip_code") != "", F.col("zip_code")).alias("zip_code")
    ).persist()
    if _count_devices(locations, uri) < LARGE:
        return F.broadcast(locations)
    partitions = int(spark.conf.get("spark.sql.shuffle.partitions") or 1)
    partitioned = locations.repartition(partitions, "device_id").persist()
    partitioned.count()  # fills it, so that the rows in the order of the file are needed no more
    locations.unpersist()
    return partitioned


def locations_digest(locations: DataFrame) -> str:
    """Return a digest of device_id and zip_code; the order of the lines does not change it."""
    line = F.xxhash64("device_id", F.coalesce("zip_code", F.lit("")))
    total, count = locations.agg(F.sum(line.cast("decimal(38,0)")), F.count("*")).first() or (0, 0)
    return f"{count}-{int(total or 0) % (1 << 64):016x}"


def _refuse_unusable_text(spark: SparkSession, uri: str) -> None:
    """Raise UserError for a file from which Spark would read other values than there are.

    That is one that is not UTF-8, or whose lines end in different ways: Spark takes the end of the
    first line for that of all. A line with an odd number of quotes begins or ends a value of
    several lines, which may have ends of its own; and the last line may have none. Only where a
    line by itself is not well quoted are the quotes of the whole text looked at.
    """
    lines = (
        spark.read.option("lineSep", "\n")
        .text(literal_path(uri))
        .withColumn("number", F.monotonically_increasing_id())
    )
    value = F.col("value")
    ends_row = F.length(F.regexp_replace(value, '[^"]', "")) % 2 == 0
    ends_as_on_windows = F.endswith(value, F.lit("\r"))
    not_utf_8, is_doubtful, on_windows, elsewhere, last = lines.agg(
        F.min(F.when(~F.is_valid_utf8(value), F.make_valid_utf8(value))),
        F.max(~value.rlike(rf"{_WELL_QUOTED}\z")),
        F.count_if(ends_row & ends_as_on_windows),
        F.min(F.when(ends_row & ~ends_as_on_windows, F.col("number"))),
        F.max("number"),
    ).collect()[0]
    if not_utf_8 is not None:
        raise UserError(
            f"NEST_DEVICE_LOCATIONS={uri} is not UTF-8, for example in the line "
            f"{not_utf_8[:100]!r}. Save it as CSV in UTF-8."
        )
    if is_doubtful:
        _refuse_bad_quotes(spark, uri)
    if on_windows and elsewhere is not None and elsewhere < last:
        raise UserError(
            f"NEST_DEVICE_LOCATIONS={uri} has lines that end as on Windows, and others that do "
            "not. Save it with one kind of line ends."
        )


def _refuse_bad_quotes(spark: SparkSession, uri: str) -> None:
    """Raise UserError for a quoted value that ends at neither a comma nor a line's end.

    What is behind its closing quote Spark leaves out or not, and the check does otherwise.
    """
    value, good, rest = F.col("value"), F.col("good"), F.col("rest")
    found = (
        spark.read.text(literal_path(uri), wholetext=True)
        .withColumn("good", F.regexp_extract(value, _WELL_QUOTED, 0))
        .withColumn("rest", F.substring(value, F.length(good) + 1, F.length(value)))
        .where(rest != "")
        .select(
            F.regexp_count(good, F.lit("\n")) + 1,
            F.concat(F.substring_index(good, "\n", -1), F.regexp_extract(rest, r"^[^\r\n]*", 0)),
            rest.rlike(_NEVER_CLOSED),
        )
        .first()
    )
    if found is None:
        return
    number, line, is_never_closed = found
    where = f"line {number}, {line.lstrip(chr(0xFEFF))[:100]!r}"
    if is_never_closed:
        raise UserError(
            f"NEST_DEVICE_LOCATIONS={uri} has a quote that is never closed in {where}. Close it, "
            "or double it if it is part of a value."
        )
    raise UserError(
        f"NEST_DEVICE_LOCATIONS={uri} has something after the closing quote of a value in {where}. "
        "Write a comma there, or double a quote that is part of a value."
    )


def _column_names(spark: SparkSession, uri: str) -> list[str]:
    """Return the names in the first line; UserError if one that is needed is missing or twice."""
    line = spark.read.text(literal_path(uri)).first()
    names = next(csv.reader([line.value.removeprefix("\ufeff")]), []) if line else []
    missing = {"device_id", "zip_code"} - set(names)
    if missing:
        raise UserError(
            f"NEST_DEVICE_LOCATIONS={uri} has no column {' and no column '.join(sorted(missing))}; "
            "its first line must name device_id and zip_code."
        )
    for name in ("device_id", "zip_code"):
        if names.count(name) > 1:
            raise UserError(f"NEST_DEVICE_LOCATIONS={uri} has the column {name} more than once.")
    return names


def _count_devices(locations: DataFrame, uri: str) -> int:
    """Return the number of devices; UserError for an id that is empty, twice or has a line end."""
    has_no_id = F.col("device_id").isNull() | (F.col("device_id") == "")
    has_line_end = F.concat_ws("", "device_id", "zip_code").rlike("[\r\n]")
    lines, without_id, with_line_end, devices = locations.agg(
        F.count("*"),
        F.count_if(has_no_id),
        F.count_if(has_line_end),
        F.count_distinct("device_id"),
    ).collect()[0]
    if without_id:
        raise UserError(f"NEST_DEVICE_LOCATIONS={uri} has lines without a device_id.")
    if with_line_end:
        raise UserError(
            f"NEST_DEVICE_LOCATIONS={uri} has a device_id or zip_code with a line end in it. Write "
            "it on one line, and save the file with one kind of line ends."
        )
    if devices < lines:
        by_id = locations.groupBy("device_id").count()
        rows = by_id.where("count > 1").orderBy("device_id").limit(3).collect()
        names = ", ".join(row.device_id for row in rows)
        raise UserError(
            f"NEST_DEVICE_LOCATIONS={uri} has device_ids more than once: {names}. "
            "List each device once."
        )
    return int(devices)
