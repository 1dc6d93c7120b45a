"""A Delta table as a streaming source: how much a micro-batch reads, and what is still to come.

You should see the same six files read two at a time with ``maxFilesPerTrigger`` and one at a time
with a tiny ``maxBytesPerTrigger``: a file is never cut, so at least one is read. Then the backlog
after each batch. Databricks reports it as ``numFilesOutstanding``, ``numBytesOutstanding``,
``numNewListedFiles`` and ``backlogEndOffset``; open-source Delta 4.4 reports no metrics of its
source. The example computes the backlog from the offset that every progress carries.
"""

import json
from dataclasses import dataclass

import pyarrow as pa
from deltalake import DeltaTable
from pyspark.sql.streaming.query import StreamingQuery

from examples.playground import Playground
from examples.sightings import append, sightings

ROWS = ("B1", "B7", "B16")


@dataclass(frozen=True)
class Backlog:
    """What a stream had not read yet when a batch had ended."""

    files: int
    bytes: int
    newest_version: int


@dataclass(frozen=True)
class Observed:
    """Rows of each batch, and what was known of the backlog after each."""

    by_files: list[int]
    by_bytes: list[int]
    reported_metrics: dict[str, str]
    backlog: list[Backlog]


def run(playground: Playground) -> Observed:
    """Write six files, read them under both limits, and compute the backlog after each batch."""
    table = playground.table("sightings")
    for number in range(6):
        append(sightings(playground.spark, number * 100, number * 100 + 100), table)

    by_files = read_all(playground, table, "maxFilesPerTrigger", "2")
    by_bytes = read_all(playground, table, "maxBytesPerTrigger", "1b")
    playground.say("Six files of 100 rows; maxFilesPerTrigger=2 reads two of them in a batch:")
    # In production: send these figures from a StreamingQueryListener to where your alerts are.
    sources = [progress["sources"][0] for progress in by_files.recentProgress]
    outstanding = [backlog(table, source["endOffset"]) for source in sources]
    playground.show(
        "After each batch",
        [
            {
                "rows read": source["numInputRows"],
                "files outstanding": left.files,
                "bytes outstanding": left.bytes,
                "newest version": left.newest_version,
            }
            for source, left in zip(sources, outstanding, strict=True)
        ],
    )
    playground.say("maxBytesPerTrigger is a soft limit: with 1 byte a batch still gets one file.")
    return Observed(
        [source["numInputRows"] for source in sources],
        [progress["numInputRows"] for progress in by_bytes.recentProgress],
        dict(sources[-1]["metrics"]),
        outstanding,
    )


def read_all(playground: Playground, table: str, limit: str, value: str) -> StreamingQuery:
    """Read the whole table as a stream under a limit."""
    stream = playground.spark.readStream.format("delta").option(limit, value).load(table)
    return playground.run_to_end(
        stream.writeStream.format("noop").option("checkpointLocation", playground.checkpoint(limit))
    )


def backlog(table: str, end_offset: str) -> Backlog:
    """Return what of an append-only table is left after an offset of a stream.

    ``reservoirVersion`` is the table's version; ``index`` counts the files of a version, or of the
    whole table while ``isStartingVersion`` says that the stream reads what was there at its start.
    A commit of which only some files are read counts as unread.
    """
    offset = json.loads(end_offset)
    version = offset["reservoirVersion"]
    if offset["isStartingVersion"]:
        done = sorted_files(table, version)[: offset["index"] + 1]
    else:
        done = sorted_files(table, version - 1)
    left = set(sorted_files(table)) - set(done)
    return Backlog(len(left), sum(size for _, _, size in left), DeltaTable(table).version())


def sorted_files(table: str, version: int | None = None) -> list[tuple[object, str, int]]:
    """Return the files of a version (time, path, bytes) in the order in which a stream reads."""
    files = pa.table(DeltaTable(table, version=version).get_add_actions()).to_pylist()
    return sorted((file["modification_time"], file["path"], file["size_bytes"]) for file in files)
