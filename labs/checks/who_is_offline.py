"""The exercises of the lab that asks who is offline."""

from collections.abc import Callable, Mapping

import orjson
from delta.tables import DeltaTable
from pyspark.sql import DataFrame

from contract.topics import NEST_LOGS
from labs.exercise import Wrong, call, exercise
from labs.lab import Lab

STATES = "device_id STRING, timestamp INT, is_online BOOLEAN"
IN_TABLE = [("late", 5, True), ("newer", 5, True), ("again", 5, True)]
MESSAGES = [("late", 3, False), ("newer", 7, False), ("again", 5, True), ("first", 1, True)]
"""One that was overtaken, one that is news, one that is sent again, and one of a new camera."""


@exercise("A DataFrame with the column device_id: use `newest_per_camera`, `where` and `select`.")
def offline_now(lab: Lab, answer: Callable[[DataFrame], DataFrame]) -> str:
    """Take a function that finds the cameras whose newest message says that they are offline."""
    camera = lab.spark.read.format("delta").load(lab.table("camera"))
    found = [row.device_id for row in call(answer, camera).select("device_id").collect()]
    newest, ever = _states(lab)
    expected = {device for device, is_online in newest.items() if not is_online}
    if set(found) == expected and len(found) > len(expected):
        raise Wrong(
            f"These are the right cameras, in {len(found)} rows: one for each message. Who is "
            "called out needs one row a camera."
        )
    if set(found) == ever != expected:
        raise Wrong(
            f"You found {len(ever)} cameras: all that were offline at some time, and some are "
            "back. Which comes first, the newest row or the filter?"
        )
    if set(found) != expected:
        raise Wrong(f"You found {len(set(found))} cameras. By their newest messages it is not so.")
    return f"{len(expected)} of {len(newest)} cameras, counted again from Kafka in plain Python."


@exercise("A comparison of new.timestamp and old.timestamp, in quotes.")
def condition(lab: Lab, text: str, merge: Callable[[DeltaTable, DataFrame], None]) -> str:
    """Take the condition by which a MERGE keeps the newest state, and changes nothing else."""
    path = lab.table(lab.fresh("states"))
    lab.spark.createDataFrame(IN_TABLE, STATES).write.format("delta").save(path)
    table = DeltaTable.forPath(lab.spark, path)
    merge(table, lab.spark.createDataFrame(MESSAGES, STATES))
    states = {row.device_id: row.timestamp for row in table.toDF().collect()}
    if states["late"] == 3:
        raise Wrong(
            f"With {text!r} a message that came late took the place of a newer one: the camera "
            "`late` is back at minute 3. Compare the timestamps."
        )
    if states["newer"] == 5:
        raise Wrong(f"With {text!r} a newer message changes nothing. Which side has to be greater?")
    updated = int(table.history(1).collect()[0].operationMetrics["numTargetRowsUpdated"])
    if updated > 1:
        raise Wrong(
            f"The states are right, but {updated} rows were updated, and one message was news. The "
            "other was sent again: nothing changed, and the change feed would say that it did."
        )
    return "late and repeated messages change nothing, so each change is one change in the feed."


@exercise('For each way "94304" or "unknown".')
def prediction(lab: Lab, answer: Mapping[str, str]) -> str:
    """Take which version of a table a running stream joins with, for three ways to read it."""
    if answer["newest"] != "94304":
        raise Wrong(
            "newest: a stream that is joined with a Delta table reads it anew in every micro-batch."
        )
    if answer["version 0"] != "unknown":
        raise Wrong("version 0: what is pinned to a version never changes. Was cam1 in it?")
    if answer["in memory"] != "unknown":
        raise Wrong(
            "in memory: what was persisted at the start is what every batch gets. Another program "
            "changed the table; who would tell this session's memory?"
        )
    return "see for yourself in the next cell."


def _states(lab: Lab) -> tuple[dict[str, bool], set[str]]:
    """Return of all messages by camera whether it is online now, and which ever were offline."""
    newest, ever = {}, set()
    for record in sorted(lab.records(NEST_LOGS.name), key=lambda record: record.timestamp):
        for camera in orjson.loads(record.value)["devices"]["cameras"].values():
            newest[camera["device_id"]] = camera["is_online"]
            if not camera["is_online"]:
                ever.add(camera["device_id"])
    return newest, ever
