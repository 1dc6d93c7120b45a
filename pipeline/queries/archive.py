"""archive: every camera of every message to the table ``camera``, bad input to ``quarantine``."""

import json
from collections import defaultdict
from dataclasses import dataclass
from math import ceil

from pyspark.sql import DataFrame, Observation, Row, SparkSession
from pyspark.sql import functions as F
from pyspark.sql.streaming.query import StreamingQuery

from contract import lake
from contract.errors import UserError
from contract.lake import CAMERA
from contract.queries import ARCHIVE
from contract.settings import Settings
from pipeline.parsing.parser import Parser, parsed
from pipeline.schema import QUARANTINE, VERDICT, camera_schema
from pipeline.source import stream_records
from pipeline.storage import Storage
from pipeline.tables import append_once, create_tables, table_uri

NAME = ARCHIVE

_RECORDS_PER_RANGE = 5_000
_RANGES_PER_FILE = 4
"""A live batch is one file, a large one a file for each task of some seconds."""
_BLOCK = "offset div 64"
"""Where bad records are is noted in blocks, so that a flood of them does not fill the driver."""
MOST_LOOKED_FOR = 20_000


def start(spark: SparkSession, settings: Settings, trigger: dict[str, object]) -> StreamingQuery:
    """Start the query; ``trigger`` is what ``DataStreamWriter.trigger`` takes."""
    checkpoint = f"{settings.checkpoints}/{NAME}"
    _refuse_second_archive(spark, settings, checkpoint)
    create_tables(spark, settings)
    parser = Parser(camera_schema(), settings.clock_skew)
    query: StreamingQuery = (
        stream_records(spark, settings, _RECORDS_PER_RANGE)
        .writeStream.queryName(NAME)
        .foreachBatch(Archive(settings, parser, _uncommitted_batch(spark, checkpoint)))
        .option("checkpointLocation", checkpoint)
        .trigger(**trigger)  # type: ignore[call-overload]
        .start()
    )
    return query


@dataclass
class Archive:
    """Writes a micro-batch of nest-logs records to both tables, each exactly once."""

    settings: Settings
    parser: Parser
    repeated: int | None
    """Number of the batch that an earlier run began and did not commit, if any."""

    def __call__(self, records: DataFrame, batch_id: int) -> None:
        """Write the batch, and parse its bad records again if there are any."""
        spark = records.sparkSession
        records = records.coalesce(_files(records))
        query_id = _query_id(spark, f"{self.settings.checkpoints}/{NAME}")
        bad = F.col("reason").isNotNull()

        seen = Observation()
        block = F.struct("partition", F.expr(_BLOCK))
        rows = parsed(records, self.parser)
        cameras = rows.observe(seen, F.collect_set(F.when(bad, block)).alias("bad"))
        append_once(
            cameras.where(~bad).drop(*VERDICT.names),
            table_uri(spark, self.settings, CAMERA),
            query_id=query_id,
            batch_id=batch_id,
        )
        # A repeated batch may be in the one table already: Delta then skips it there, nothing is
        # observed, and only a second pass over all of it can tell.
        suspects = records if batch_id == self.repeated else only(records, seen.get["bad"])
        if suspects is not None:
            append_once(
                parsed(suspects, self.parser).where(bad).select(*QUARANTINE.names),
                table_uri(spark, self.settings, lake.QUARANTINE),
                query_id=query_id,
                batch_id=batch_id,
            )


def _files(records: DataFrame) -> int:
    """Return to how many files a batch goes, so that no shuffle is needed to keep them few."""
    return max(1, ceil(records.rdd.getNumPartitions() / _RANGES_PER_FILE))


def only(records: DataFrame, blocks: list[Row]) -> DataFrame | None:
    """Return the records in some blocks (partition, number); None if there are no blocks.

    Where they are very many, looking for them is no cheaper than all the records.
    """
    if not blocks:
        return None
    if len(blocks) > MOST_LOOKED_FOR:
        return records
    numbers = defaultdict(list)
    for partition, number in blocks:
        numbers[partition].append(str(number))
    return records.where(
        " OR ".join(
            f"partition = {partition} AND {_BLOCK} IN ({', '.join(wanted)})"
            for partition, wanted in numbers.items()
        )
    )


def _query_id(spark: SparkSession, checkpoint: str) -> str:
    """Return the query's id, which its checkpoint keeps through restarts."""
    return str(json.loads(Storage(spark, f"{checkpoint}/metadata").read_text())["id"])


def _uncommitted_batch(spark: SparkSession, checkpoint: str) -> int | None:
    """Return the batch that was planned and not committed, with which the query will begin."""
    planned, committed = (
        [int(name) for name in Storage(spark, f"{checkpoint}/{log}").names() if name.isdigit()]
        for log in ("offsets", "commits")
    )
    return max(planned) if planned and max(planned) > max(committed, default=-1) else None


def _refuse_second_archive(spark: SparkSession, settings: Settings, checkpoint: str) -> None:
    """Stop a query without a memory from archiving what is in the table already."""
    camera = table_uri(spark, settings, CAMERA)
    is_new = not Storage(spark, f"{camera}/_delta_log").exists()
    if is_new or Storage(spark, f"{checkpoint}/metadata").exists():
        return
    if not spark.read.format("delta").load(camera).isEmpty():
        raise UserError(
            f"The table {camera} has rows, but the checkpoint {checkpoint} of the query that wrote "
            "them is gone; archiving again would double them. Put the checkpoint back, or begin "
            "anew in another NEST_LAKE and NEST_CHECKPOINTS (`nest reset` clears the demo's)."
        )
