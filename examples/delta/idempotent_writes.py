"""One stream to two tables, each written exactly once although the stream dies between them.

You should see a batch that fails after its first table and runs again. Without options the first
table gets its rows twice; with ``txnAppId`` and ``txnVersion`` Delta skips what it already has
(``append_once`` in pipeline/lake/exactly_once.py). Then the trap: a new checkpoint counts its
batches from 0 again, and under the old ``txnAppId`` Delta skips them without a word, whatever rows
they hold. A new checkpoint needs a new ``txnAppId``: the pipeline takes the query's id, which is as
new as the checkpoint. Where you can, run one stream per table instead: each goes at its own speed,
one that dies does not hold up the other, and Delta's own sink needs no such options.
"""

from dataclasses import dataclass

from pyspark.sql import DataFrame
from pyspark.sql import functions as F

from contract.settings import load_settings
from examples.error_condition import error_condition
from examples.playground import Playground
from examples.sightings import append, sightings
from pipeline.lake.exactly_once import append_once

ROWS = ("B9", "B15")


@dataclass(frozen=True)
class Observed:
    """The rows of both tables: after a batch of ten was run again, and after ten more.

    Then of two tables with a stream each: when the first stream had died, and had run again.
    """

    plain: tuple[int, int]
    idempotent: tuple[int, int]
    new_checkpoint: tuple[int, int]
    new_checkpoint_and_app_id: tuple[int, int]
    one_stream_each: tuple[int, int]
    one_stream_each_again: tuple[int, int]


def run(playground: Playground) -> Observed:
    """Let a batch fail between two tables and run again, then begin with new checkpoints."""
    source = playground.table("source")
    append(sightings(playground.spark, 0, 10), source)
    plain = fail_and_run_again(playground, "plain", app_id=None)
    idempotent = fail_and_run_again(playground, "idempotent", app_id="app")
    playground.say(f"A batch of 10 rows, run twice: {plain} without options, {idempotent} with.")

    append(sightings(playground.spark, 10, 20), source)
    only_new = {"startingVersion": "1"}
    stream(playground, "idempotent", "app", "second checkpoint", only_new)
    skipped = rows_in(playground, "idempotent")
    stream(playground, "idempotent", "another app", "third checkpoint", only_new)
    written = rows_in(playground, "idempotent")
    playground.say(
        f"Ten more rows, read with a new checkpoint: {skipped} under the old txnAppId, whose batch "
        f"0 was written long ago, and {written} under a new one."
    )

    # Which of its tasks fails first names the condition: it differs from run to run.
    error_condition(lambda: stream_to(playground, "alone_1", dies=True))
    stream_to(playground, "alone_2")
    one_each = rows_in(playground, "alone")
    stream_to(playground, "alone_1")
    one_each_again = rows_in(playground, "alone")
    playground.say(
        f"A stream for each table: {one_each} when the first has died, and {one_each_again} when "
        "it has run again."
    )
    return Observed(plain, idempotent, skipped, written, one_each, one_each_again)


def stream_to(playground: Playground, table: str, *, dies: bool = False) -> None:
    """Append the source to one table by Delta's own sink."""
    rows = playground.spark.readStream.format("delta").load(playground.table("source"))
    if dies:
        failure = F.raise_error(F.lit("the machine goes away")).cast("string")
        rows = rows.withColumn("zip_code", failure)
    writer = rows.writeStream.format("delta").option("path", playground.table(table))
    playground.run_to_end(writer.option("checkpointLocation", playground.checkpoint(table)))


def fail_and_run_again(playground: Playground, name: str, app_id: str | None) -> tuple[int, int]:
    """Run a stream that dies between its tables, start it again, and count both tables' rows."""
    died = error_condition(lambda: stream(playground, name, app_id, name, dies=True))
    playground.say(f"The first attempt of {name} died after one table: {died}.")
    stream(playground, name, app_id, name)
    return rows_in(playground, name)


def stream(
    playground: Playground,
    name: str,
    app_id: str | None,
    checkpoint: str,
    options: dict[str, str] | None = None,
    *,
    dies: bool = False,
) -> None:
    """Append the source to two tables, each batch to one after the other."""
    settings = load_settings().model_copy(update={"lake": str(playground.folder / "lake")})

    def write_both(batch: DataFrame, batch_id: int) -> None:
        for number in (1, 2):
            table = f"{name}_{number}"
            if app_id is None:
                append(batch, playground.table(table))
            else:
                append_once(batch, table, settings=settings, query_id=app_id, batch_id=batch_id)
            if dies:
                raise RuntimeError("the machine goes away")

    source = playground.spark.readStream.format("delta").options(**options or {})
    playground.run_to_end(
        source.load(playground.table("source"))
        .writeStream.foreachBatch(write_both)
        .option("checkpointLocation", playground.checkpoint(checkpoint))
    )


def rows_in(playground: Playground, name: str) -> tuple[int, int]:
    """Return the number of rows of both tables."""
    first, second = (playground.count_rows(f"{name}_{number}") for number in (1, 2))
    return first, second
