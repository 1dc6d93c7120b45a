"""A stream that is joined with several tables of places at once."""

from collections.abc import Mapping

from pyspark.sql import DataFrame
from pyspark.sql.streaming.readwriter import DataStreamWriter

from pipeline.counting import with_zip_codes


def collect_zip_codes(
    stream: DataFrame, tables: Mapping[str, DataFrame]
) -> tuple[DataStreamWriter, list[dict[str, str]]]:
    """Return a writer of the stream, and the list to which each of its batches adds its rows.

    A row has the columns of the stream, with device_id, and the zip code by the name of each table.
    """
    placed, rows = stream, list[dict[str, str]]()
    for name, places in tables.items():
        placed = placed.transform(with_zip_codes, places).withColumnRenamed("zip_code", name)

    def collect(batch: DataFrame, _: int) -> None:
        rows.extend(row.asDict() for row in batch.collect())

    return placed.writeStream.foreachBatch(collect), rows
