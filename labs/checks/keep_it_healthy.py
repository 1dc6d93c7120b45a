"""The exercises of the lab Keep it healthy, ship it."""

from collections.abc import Callable
from datetime import UTC, datetime, timedelta

from delta.tables import DeltaTable
from pyspark.sql import DataFrame
from pyspark.sql import functions as F

from contract.instants import format_instant
from contract.progress import QueryProgress
from examples.delta.data_skipping import touched
from labs.exercise import Wrong, call, exercise, require_whole_number
from labs.lab import Lab

SINCE = datetime(2026, 3, 4, 16, 40, tzinfo=UTC)
FILES = 12
NOON = datetime(2026, 3, 4, 12, tzinfo=UTC)


@exercise("SQL as text. Compare the column itself with a moment, nothing around it.")
def cheap_condition(lab: Lab, answer: str) -> str:
    """Take a condition for the newest rows that opens few files; it is tried on a copy."""
    copy = lab.fact("by_time", lambda: _copy_by_time(lab))
    is_new = F.col("timestamp") >= F.lit(SINCE)
    rows, wanted = copy.where(answer), copy.where(is_new)
    found, expected, older = rows.count(), wanted.count(), rows.where(~is_new).count()
    if found != expected or older:
        raise Wrong(
            f"The condition gives {found} rows, {older} of them from before 16:40; there are "
            f"{expected} from then on."
        )
    opened, of = touched(rows).files, touched(copy).files
    if opened > touched(wanted).files:
        raise Wrong(
            f"The right rows, and {opened} of {of} files to open: the column is inside of a "
            "function, and of its result Delta has no smallest and largest value."
        )
    return f"{found} rows from {opened} of {of} files."


def _copy_by_time(lab: Lab) -> DataFrame:
    path = lab.table(lab.fresh("by_time"))
    camera = lab.spark.read.format("delta").load(lab.table("camera"))
    camera.repartitionByRange(FILES, "timestamp").write.format("delta").save(path)
    return lab.spark.read.format("delta").load(path)


@exercise("Two reasons, with `or` between them; the second has two parts, with `and`.")
def wake_somebody(lab: Lab, answer: Callable[[QueryProgress, int, datetime], bool]) -> str:
    """Take the rule by which somebody is woken because of a query."""

    def says(state: str, minutes_ago: float, waiting: int) -> bool:
        done = format_instant(NOON - timedelta(minutes=minutes_ago))
        progress = QueryProgress("archive", state, done)  # type: ignore[arg-type]
        return bool(call(answer, progress, waiting, NOON))

    if says("running", 180, 0):
        raise Wrong(
            "At three in the morning nobody moves and no message comes: the newest batch is three "
            "hours old and nothing waits. You wake somebody for nothing."
        )
    if says("running", 0.1, 5_000):
        raise Wrong(
            "5,000 messages wait, and a batch was done six seconds ago: the query is at work. You "
            "wake somebody every time that many people come home at once."
        )
    if not says("running", 10, 500):
        raise Wrong(
            "500 messages wait, and for ten minutes no batch was done: it hangs, and you let "
            "everybody sleep."
        )
    if says("running", 4, 500):
        raise Wrong(
            "500 messages wait, and a batch was done four minutes ago. Five minutes are allowed: "
            "you wake somebody too early."
        )
    if not says("running", 6, 500):
        raise Wrong(
            "500 messages wait, and for six minutes no batch was done. That is more than five: you "
            "wake somebody too late."
        )
    if not says("running", 6, 1):
        raise Wrong(
            "One message waits, and for six minutes no batch was done. Nobody reads it, and one "
            "that waits is enough: you let everybody sleep."
        )
    if not (says("restarting", 0.1, 0) and says("stopped", 0.1, 0)):
        raise Wrong(
            "The query was stopped a moment ago, nothing waits yet, and you say all is well."
        )
    if says("waiting", 0.1, 5_000):
        raise Wrong(
            "The query waits for another one, as at every start, and will begin by itself. You "
            "wake somebody each time that the pipeline starts."
        )
    return "it sleeps through a quiet night and a busy hour, and wakes for what hangs or has ended."


@exercise("A number, as the history has them. The version before the first wrong one.")
def last_good_version(lab: Lab, answer: int) -> str:
    """Take the last version before a wrong UPDATE."""
    require_whole_number(answer)
    commits = DeltaTable.forPath(lab.spark, lab.table("camera")).history()
    operations = {row.version: row.operation for row in commits.collect()}
    wrong = max(number for number, name in operations.items() if name == "UPDATE")
    if answer == wrong:
        raise Wrong(f"Version {answer} is what the UPDATE has made: there the damage is done.")
    if answer not in operations or answer > wrong:
        raise Wrong(f"There is no such version before the UPDATE, which made version {wrong}.")
    if answer < wrong - 1:
        raise Wrong(
            f"At version {answer} all is well, but it is older than need be: the "
            f"{operations[answer + 1]} of version {answer + 1} would be lost, too."
        )
    return f"version {answer}, the {operations[answer]} before the UPDATE."
