"""A Delta table as a streaming source: how much a micro-batch reads, and what is still to come.

You should see the same six files read two at a time with ``maxFilesPerTrigger`` and one at a time
with a tiny ``maxBytesPerTrigger``: a file is never cut, so at least one is read. Then the backlog
after each batch. Databricks reports it as ``numFilesOutstanding``, ``numBytesOutstanding``,
``numNewListedFiles`` and ``backlogEndOffset``; open-source Delta 4.4 reports no metrics of its
source. The example computes the backlog from the offset that every progress carries, and from the
commits in the table's log. In the end the six files are merged by OPTIMIZE and a commit of two
files follows: the stream reads these two alone, and only they were outstanding.
"""

import json
from dataclasses import dataclass
from pathlib import Path

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
    optimized: Backlog
    """What was outstanding at the end of the six files, once OPTIMIZE had merged them."""
    appended: Backlog
    """The same after a commit of two more files."""
    by_bytes_later: list[int]
    backlog_later: list[Backlog]


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

    end = sources[-1]["endOffset"]
    playground.spark.sql(f"OPTIMIZE delta.`{table}`")
    optimized = backlog(table, end)
    append(sightings(playground.spark, 600, 800).repartition(2), table)
    appended = backlog(table, end)
    later = [
        progress["sources"][0]
        for progress in read_all(playground, table, "maxBytesPerTrigger", "1b").recentProgress
    ]
    rows_later = [source["numInputRows"] for source in later]
    playground.say(
        f"OPTIMIZE merged the six files into one: {optimized.files} outstanding. After a commit of "
        f"two files: {appended.files} outstanding. The stream reads {rows_later} rows of them."
    )
    return Observed(
        [source["numInputRows"] for source in sources],
        [progress["numInputRows"] for progress in by_bytes.recentProgress],
        dict(sources[-1]["metrics"]),
        outstanding,
        optimized,
        appended,
        rows_later,
        [backlog(table, source["endOffset"]) for source in later],
    )


def read_all(playground: Playground, table: str, limit: str, value: str) -> StreamingQuery:
    """Read the whole table as a stream under a limit."""
    stream = playground.spark.readStream.format("delta").option(limit, value).load(table)
    return playground.run_to_end(
        stream.writeStream.format("noop").option("checkpointLocation", playground.checkpoint(limit))
    )


def backlog(table: str, end_offset: str) -> Backlog:
    """Return what of an append-only table on a local disk is left after an offset of a stream.

    ``reservoirVersion`` is the version that the stream reads or waits for; ``index`` is the last
    file that it has of this version's commit, or of the whole table while ``isStartingVersion``
    says that the stream reads what was there at its start.
    """
    offset = json.loads(end_offset)
    version, index = offset["reservoirVersion"], max(offset["index"], -1)
    newest = DeltaTable(table).version()
    left: list[int] = []
    if offset["isStartingVersion"]:
        left = sizes_of_files_at(table, version)[index + 1 :]
        version, index = version + 1, -1
    for number in range(version, newest + 1):
        left += sizes_of_added_files(table, number)[index + 1 :]
        index = -1
    return Backlog(len(left), sum(left), newest)


def sizes_of_files_at(table: str, version: int) -> list[int]:
    """Return the bytes of a version's files in the order in which a stream reads them."""
    files = pa.table(DeltaTable(table, version=version).get_add_actions()).to_pylist()
    files.sort(key=lambda file: (file["modification_time"], file["path"]))
    return [file["size_bytes"] for file in files]


def sizes_of_added_files(table: str, version: int) -> list[int]:
    """Return the bytes of the files that a commit gives to streams.

    OPTIMIZE marks its files ``dataChange: false``: they have no new rows, so streams pass over
    them.
    """
    commit = Path(table, f"_delta_log/{version:020}.json").read_text().splitlines()
    added = (action["add"] for action in map(json.loads, commit) if "add" in action)
    return [file["size"] for file in added if file["dataChange"]]
