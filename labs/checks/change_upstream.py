"""The exercises of the lab Change upstream."""

import shutil
from collections.abc import Callable, Mapping
from pathlib import Path

from examples.error_condition import error_condition
from labs.exercise import NotFilledIn, Wrong, exercise
from labs.lab import Lab
from labs.traces import FILES, ROWS, traces


@exercise("One of the three names, as text in quotes.")
def option(lab: Lab, answer: str) -> str:
    """Take the option by which a stream passes a delete and gives each row once."""
    name = lab.fresh("option")
    stream = (
        lab.spark.readStream.format("delta")
        .option("startingVersion", "0")
        .option(answer, "true")
        .load(lab.table("camera"))
        .select("partition", "offset", "device_id")
    )
    writer = stream.writeStream.format("delta").option("checkpointLocation", lab.checkpoint(name))
    stopped_by = error_condition(lambda: lab.run_to_end(writer.option("path", lab.table(name))))
    if stopped_by and answer == "ignoreDeletes":
        raise Wrong(
            f"The stream still stops: {stopped_by}. ignoreDeletes passes commits that delete whole "
            "files, such as a partition. The rows of one camera were among others in theirs, so "
            "these files were written anew."
        )
    if stopped_by:
        raise Wrong(f"With {answer} the stream still stops: {stopped_by}.")
    rows = lab.spark.read.format("delta").load(lab.table(name))
    all_rows, once = rows.count(), rows.distinct().count()
    if all_rows > once:
        raise Wrong(
            f"The stream goes on, and gives {all_rows - once} of {once} rows twice: all rows of a "
            "rewritten file come again, also those that nobody has touched."
        )
    return "it goes on, each row came once, and of the delete it was told nothing. See step 3."


@exercise("Three calls: for the rows, for the files of older versions, and for the log.")
def forget_in(lab: Lab, answer: Callable[[str, str], None]) -> str:
    """Take a function that removes a home from a table; it is tried on a copy of ``seen``."""
    table = lab.fresh("seen")
    path = lab.table(table)
    shutil.copytree(lab.table("seen"), path)
    home = lab.messages(1)[0].key.decode()  # type: ignore[union-attr]
    _require_a_call(answer)
    answer(table, home)
    found = traces(path, {home})
    where = ", ".join(f"{place}: {number}" for place, number in found.items())
    if ROWS in found:
        raise Wrong(f"The home is still there ({where}). Begin with the rows.")
    if FILES in found:
        raise Wrong(
            f"No row is left, but the home is still there ({where}): whoever reads the table as of "
            "an older version sees it. Which call deletes files, and how many hours may it keep?"
        )
    if found:
        raise Wrong(
            f"Rows and files are gone, but the home is still there ({where}): each commit keeps "
            "the smallest and largest value of its files, and a DELETE its condition."
        )
    return "rows, files and log: nothing of the table tells of the home any more."


@exercise("A dict with one option; its name begins with allowSourceColumn.")
def allowed(lab: Lab, answer: Mapping[str, str]) -> str:
    """Take the option by which a tracked stream goes on after a rename."""
    if "mergeSchema" in answer:
        raise Wrong(
            "mergeSchema is for who writes: it lets new columns in. This stream reads, and has to "
            "be told that a column's new name is meant."
        )
    name = lab.fresh("follow")
    columns: list[list[str]] = []
    checkpoint = _copy_of_checkpoint(lab, "follow", name)
    stream = (
        lab.spark.readStream.format("delta")
        .options(schemaTrackingLocation=f"{checkpoint}/schema", **answer)
        .load(lab.table("visits"))
    )
    writer = stream.writeStream.foreachBatch(lambda batch, _: columns.append(batch.columns))
    writer = writer.option("checkpointLocation", checkpoint)
    if stopped_by := error_condition(lambda: lab.run_to_end(writer)):
        raise Wrong(f"The stream is still stopped by {stopped_by}. The change was a rename.")
    return f"the stream goes on, and its rows have the columns {', '.join(columns[-1])}."


def _require_a_call(answer: Callable[[str, str], None]) -> None:
    """Raise NotFilledIn for a function that does nothing."""
    if not answer.__code__.co_names:
        raise NotFilledIn


def _copy_of_checkpoint(lab: Lab, name: str, copy: str) -> str:
    """Copy the checkpoint of a stream that has stopped, and return the copy's path.

    What it has tracked of the schema names the checkpoint that it belongs to.
    """
    old, new = lab.checkpoint(name), lab.checkpoint(copy)
    shutil.copytree(old, new, ignore=shutil.ignore_patterns("*.crc"))
    for file in filter(Path.is_file, Path(new, "schema").rglob("*")):
        file.write_text(file.read_text().replace(old, new))
    return new
