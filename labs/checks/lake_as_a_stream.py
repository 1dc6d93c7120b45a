"""The exercises of the lab The lake as a stream."""

from collections.abc import Callable

from pyspark.sql import DataFrame

from examples.delta.two_hops import placed_sightings
from labs.exercise import Wrong, call, exercise
from labs.lab import Lab

ROWS_OF_A_COMMIT = 100


@exercise("A dict with one option of the reader, its name and its value: it was one file above.")
def limit(lab: Lab, answer: dict[str, str]) -> str:
    """Take the option that lets a batch read two of the four files."""
    if "maxOffsetsPerTrigger" in answer:
        raise Wrong(
            "maxOffsetsPerTrigger is an option of Kafka's source. A table has files and no "
            "offsets; Delta passes over the option without a word and reads all in one batch."
        )
    stream = _landing(lab, answer)
    writer = stream.writeStream.format("noop").option(
        "checkpointLocation", lab.checkpoint(lab.fresh("limit"))
    )
    batches = [progress["numInputRows"] for progress in lab.run_to_end(writer).recentProgress]
    if batches == [4 * ROWS_OF_A_COMMIT]:
        raise Wrong(
            f"The batches had {batches} rows: all in one, so the option that you gave limits "
            "nothing. Does it exist under this very name?"
        )
    if batches != [2 * ROWS_OF_A_COMMIT] * 2:
        raise Wrong(f"The batches had {batches} rows. Each file has {ROWS_OF_A_COMMIT}.")
    return "two batches of 200 rows. A file is never cut: a limit in bytes takes at least one."


@exercise("A dict with one option of the reader, its name and its value, as in the cell above.")
def start(lab: Lab, answer: dict[str, str]) -> str:
    """Take the option by which a new stream begins with the third commit."""
    if "startingOffsets" in answer:
        raise Wrong(
            "startingOffsets is an option of Kafka's source. Delta passes over it without a word "
            "and reads the whole table. Where does a table keep what offsets are to a topic?"
        )
    rows = len(lab.rows_of(_landing(lab, answer), lab.fresh("start")))
    if rows == ROWS_OF_A_COMMIT:
        raise Wrong(
            f"The stream read {rows} rows: it began one commit too late. The version that you name "
            "is the first one that is read, and versions are counted from 0."
        )
    if rows != 2 * ROWS_OF_A_COMMIT:
        raise Wrong(f"The stream read {rows} rows; versions 2 and 3 have 200.")
    return "versions 2 and 3, 200 rows. A restart of this query would pass over the option."


@exercise("Both values are DataFrames. `exceptAll` was used in step 1; its two sides differ.")
def differences(
    lab: Lab, answer: Callable[[DataFrame, DataFrame], tuple[DataFrame, DataFrame]]
) -> str:
    """Take a function that finds a missing row and one that is there twice."""
    expected = lab.fact("expected", lambda: _expected(lab))
    rows = sorted(expected.collect(), key=lambda row: (row.start_time, row.device_id))
    damaged = lab.spark.createDataFrame(rows[1:] + rows[-1:], expected.schema)
    missing, too_many = (found.collect() for found in call(answer, expected, damaged))
    if missing == rows[-1:] and too_many == rows[:1]:
        raise Wrong(
            "These are the right two rows, and the wrong way round: what `found` lacks comes first."
        )
    if missing == rows[:1] and not too_many:
        raise Wrong(
            "You found the missing row, and not the one that is there twice. `subtract` works on "
            "sets, and in a set a row is there or not. You need the one that counts."
        )
    if missing != rows[:1] or too_many != rows[-1:]:
        raise Wrong(
            f"You found {len(missing)} missing and {len(too_many)} too many. Of the damaged copy "
            "it is one each: the first sighting is missing, the last one is there twice."
        )
    return "one row missing, one too many, and the counts equal. `nest check` compares rows, too."


def _expected(lab: Lab) -> DataFrame:
    landing = lab.spark.read.format("delta").load(lab.table("landing"))
    return landing.transform(placed_sightings, lab).persist()


def _landing(lab: Lab, options: dict[str, str]) -> DataFrame:
    return lab.spark.readStream.format("delta").options(**options).load(lab.table("landing"))
