"""ACID: several writers and a reader on one table; commits are whole, in order, never lost.

You should see three threads append to a table while a reader counts it: the reader never sees half
of a commit, and no append is lost, as appends do not touch what others wrote. Then two writers
update the same row: Spark, and delta-rs, a writer without Java. Both begin with the same version of
the table. The one that commits last is refused, and nothing of it is written; it reads the table
again and tries once more.

This holds for threads of one JVM, and for programs where the storage refuses to make a file that is
already there. On S3 two programs lose each other's commits, with Delta's own log store; on a local
disk a JVM can replace a commit that another program makes at the same moment. docs/tables.md and
docs/cluster.md ("One writer") say how this project sees to it that one program writes at a time.
"""

from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from threading import Event

import deltalake
from delta.tables import DeltaTable
from deltalake.exceptions import CommitFailedError
from pyspark.sql import functions as F

from contract.polling import poll_until
from examples.playground import TIMEOUT_S, Playground
from examples.sightings import append, sightings

ROWS = ("D4",)
TABLE = "several_writers"
WRITERS, COMMITS, ROWS_EACH = 3, 3, 10
CAM1 = "device_id = 'cam1'"


@dataclass(frozen=True)
class Observed:
    """What the reader counted, what became of the appends, and of two updates of one camera."""

    seen: list[int]
    rows: int
    commits: int
    second_update_refused: bool
    after_refusal: list[str]
    after_retry: list[str]


def run(playground: Playground) -> Observed:
    """Append from threads while reading, then let two writers update the same rows."""
    seen = append_and_count(playground)
    table = playground.table(TABLE)
    rows = playground.spark.read.format("delta").load(table)
    commits = DeltaTable.forPath(playground.spark, table).history().count()
    playground.say(f"{WRITERS} writers made {commits - 1} commits of {ROWS_EACH} rows each.")
    playground.say(f"The reader meanwhile counted {seen}, and {rows.count()} at the end.")

    def zip_codes() -> list[str]:
        found = playground.spark.read.format("delta").load(table).where(CAM1).distinct()
        return sorted({row.zip_code for row in found.collect()})

    other = deltalake.DeltaTable(table)  # the version that it begins with
    DeltaTable.forPath(playground.spark, table).update(CAM1, {"zip_code": F.lit("10001")})
    try:
        other.update(predicate=CAM1, new_values={"zip_code": "20002"})
        refused = False
    except CommitFailedError as error:
        refused = True
        playground.say(f"The second update is refused: {error}")
    after_refusal = zip_codes()
    # In production: let the program that was refused read and decide again, not only write again.
    deltalake.DeltaTable(table).update(predicate=CAM1, new_values={"zip_code": "20002"})
    playground.say(f"cam1 is at {after_refusal} after the refusal, at {zip_codes()} after a retry.")
    return Observed(seen, rows.count(), commits, refused, after_refusal, zip_codes())


def append_and_count(playground: Playground) -> list[int]:
    """Append from several threads and return what a reader counted meanwhile."""
    spark, table = playground.spark, playground.table(TABLE)
    append(sightings(spark, 0, ROWS_EACH), table)
    seen: list[int] = []
    written = Event()

    def read() -> None:
        while not written.is_set():
            seen.append(spark.read.format("delta").load(table).count())

    def write(number: int) -> None:
        for commit in range(COMMITS):
            wait_for_a_new_count(seen)
            first = (1 + number * COMMITS + commit) * ROWS_EACH
            append(sightings(spark, first, first + ROWS_EACH), table)

    with ThreadPoolExecutor() as pool:
        reader = pool.submit(read)
        try:
            for writer in [pool.submit(write, number) for number in range(WRITERS)]:
                writer.result()
            wait_for_a_new_count(seen)
        finally:
            written.set()
    reader.result()
    return seen


def wait_for_a_new_count(seen: list[int]) -> None:
    """Return when a count has ended that began after now; one may be under way."""
    enough = len(seen) + 2
    poll_until(lambda: len(seen) >= enough, "a count of the table", TIMEOUT_S)
