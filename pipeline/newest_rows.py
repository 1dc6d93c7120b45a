"""Which row of a camera is the newest, in whatever order rows come."""

from collections.abc import Sequence

from pyspark.sql import Column, DataFrame, Window
from pyspark.sql import functions as F


def recency(alias: str, columns: Sequence[str]) -> Column:
    """Return what orders the rows of a camera from the oldest to the newest.

    That is the record's timestamp, then its partition and offset. Only two entries of one document
    with the same device_id have the same position; between these the content decides. So the order
    is total, and what is newest does not depend on how rows are cut into batches.
    """
    of = [F.col(f"{alias}.`{name}`") for name in columns]
    position = [F.col(f"{alias}.`{name}`") for name in ("timestamp", "partition", "offset")]
    return F.struct(*position, F.xxhash64(*of))


def newest_per_camera(cameras: DataFrame) -> DataFrame:
    """Keep the newest row of each device_id, see :func:`recency`."""
    newest_first = Window.partitionBy("device_id").orderBy(
        recency("camera", cameras.columns).desc()
    )
    return (
        cameras.alias("camera")
        .withColumn("rank", F.row_number().over(newest_first))
        .where("rank = 1")
        .drop("rank")
    )
