"""The steps from the change feed of ``camera_status`` to alerts, each a pure function.

What is silent is judged by the messages' own clock, the newest timestamp of all cameras: a camera
is silent if the others have gone on for long enough without it. So alerts depend on what is in the
table and not on when it is looked at, and a stream that stands still as a whole makes no camera
silent.
"""

from datetime import timedelta

from pyspark.sql import Column, DataFrame
from pyspark.sql import functions as F

from contract.alerts import OFFLINE, ONLINE, SILENT
from pipeline.timestamp_formats import MILLISECONDS

_ALERT = ("alert", "since", "was_online_for_s", "was_offline_for_s", "was_silent_for_s")
_ALERT_FIELDS = (
    "device_id STRING, alert STRING, since TIMESTAMP, reported_at TIMESTAMP, partition INT, "
    "offset BIGINT"
)
_MESSAGE = ("timestamp", "partition", "offset")
"""The message that a row of camera_status is of; in this order messages are older or newer."""
_CAMERA = ("device_id", "name", "structure_id", *_MESSAGE)


def with_former_timestamp(cameras: DataFrame, changes: DataFrame) -> DataFrame:
    """Add to the cameras as of the end of some changes the timestamp that each had before them.

    The column ``former`` is null for a camera that is new.
    """
    first_of = F.min_by(
        F.when(F.col("_change_type") == "update_preimage", F.col("timestamp")), "_commit_version"
    )
    former = (
        changes.where("_change_type IN ('insert', 'update_preimage')")
        .groupBy("device_id")
        .agg(first_of.alias("former"), F.lit(True).alias("has_changed"))
    )
    unchanged = F.when(F.col("has_changed").isNull(), F.col("timestamp"))
    return (
        cameras.join(former, "device_id", "left")
        .withColumn("former", F.coalesce("former", unchanged))
        .drop("has_changed")
    )


def clocks(cameras: DataFrame, latest: Column) -> DataFrame:
    """Return in one row the messages' clock before and after the changes, µs since 1970 or null.

    A timestamp after ``latest``, which lies ahead of the real clock, is of no use as a clock.
    """

    def newest(column: str) -> Column:
        return F.max(F.when(F.col(column) <= latest, F.unix_micros(column)))

    return cameras.agg(newest("former").alias("before"), newest("timestamp").alias("after"))


def former_states(changes: DataFrame) -> DataFrame:
    """Return for each change of a row what the row was: device_id, _commit_version, was.

    A row whose state was not known has none: ``alerted_states`` says what was known last.
    """
    return changes.where("_change_type = 'update_preimage' AND is_online IS NOT NULL").select(
        "device_id",
        "_commit_version",
        F.struct("is_online", "last_is_online_change", "timestamp").alias("was"),
    )


def lacks_former_state() -> Column:
    """Say of a change whether only the alerts tell what its camera was before."""
    kind = F.col("_change_type")
    return (kind == "insert") | ((kind == "update_preimage") & F.col("is_online").isNull())


def alerted_states(changes: DataFrame, records: DataFrame) -> DataFrame:
    """Return, for each row that is new or had no known state, what the sent alerts say of it.

    ``records`` are those of nest-camera-alerts; the columns are those of ``former_states``. An
    alert about a later message of the camera than the row's own says nothing of it: a batch that is
    run again has sent such alerts before. One that was never reported on or off counts as online. A
    camera that is new to the table and was last reported silent has been silent since its last
    message; one without any alert has no row.
    """
    alert = F.from_json(F.col("value").cast("string"), _ALERT_FIELDS)
    reported = F.struct(F.col("reported_at").alias("timestamp"), "partition", "offset")
    alerts = (
        records.select(alert.alias("record"))
        .select("record.*")
        .select("device_id", "alert", "since", reported.alias("reported"))
    )
    told = F.struct("reported", "alert", "since")
    was_told = F.col("reported") <= F.struct(*_MESSAGE)
    newest_told = (
        F.max(F.when(was_told & F.col("alert").isin(OFFLINE, ONLINE), told)).alias("state"),
        F.max(F.when(was_told & (F.col("alert") == SILENT), F.col("reported"))).alias("silence"),
    )
    is_silent = F.coalesce(F.col("silence") >= F.col("state.reported"), F.lit(True))
    silent_since = F.when(is_silent, F.col("silence.timestamp"))
    is_new = F.col("_change_type") == "insert"
    was = F.struct(
        F.coalesce(F.col("state.alert") == ONLINE, F.lit(True)).alias("is_online"),
        F.col("state.since").alias("last_is_online_change"),
        F.when(is_new, silent_since).otherwise(F.col("timestamp")).alias("timestamp"),
    )
    return (
        changes.where(lacks_former_state())
        .select("device_id", "_commit_version", "_change_type", *_MESSAGE)
        .join(alerts, "device_id", "left")
        .groupBy("device_id", "_commit_version", "_change_type", "timestamp")
        .agg(*newest_told)
        .where(~is_new | F.col("state").isNotNull() | F.col("silence").isNotNull())
        .select("device_id", "_commit_version", was.alias("was"))
    )


def state_alerts(changes: DataFrame, former: DataFrame, silent_before: Column) -> DataFrame:
    """Return an alert for each change that takes a camera offline or brings it back.

    ``former`` says what the rows were before. A camera without a former state gives an alert only
    if it is offline. A state of null, which is not known, gives none. A camera that was silent (its
    last message is older than ``silent_before``) and has sent a message again gives one, whatever
    its state.
    """
    is_online, since = F.col("is_online"), F.col("last_is_online_change")
    has_other_state = is_online.isNotNull() & ~is_online.eqNullSafe(F.col("was.is_online"))
    is_new_and_online = F.col("was").isNull() & is_online
    has_changed = F.coalesce(has_other_state & ~is_new_and_online, F.lit(False))
    has_returned = F.coalesce(
        (F.col("was.timestamp") < silent_before) & (F.col("timestamp") >= silent_before),
        F.lit(False),
    )
    lasted = _seconds(F.col("was.last_is_online_change"), since)
    return (
        changes.where("_change_type IN ('insert', 'update_postimage')")
        .join(former, ["device_id", "_commit_version"], "left")
        .where(has_changed | has_returned)
        .withColumn("alert", F.when(~is_online, OFFLINE).otherwise(ONLINE))
        .withColumn(
            "since",
            F.when(has_changed, F.coalesce(since, "timestamp")).otherwise(F.col("timestamp")),
        )
        .withColumn("was_online_for_s", F.when(has_changed & F.col("was.is_online"), lasted))
        .withColumn("was_offline_for_s", F.when(has_changed & ~F.col("was.is_online"), lasted))
        .withColumn(
            "was_silent_for_s",
            F.when(has_returned, _seconds(F.col("was.timestamp"), F.col("timestamp"))),
        )
        .transform(_named)
    )


def silence_alerts(cameras: DataFrame, silent_before: Column, silent_now: Column) -> DataFrame:
    """Return an alert for each camera that has become silent by the messages' clock.

    It is silent if its last message is older than ``silent_now``. One that was so before the
    changes (older than ``silent_before``) had its alert then.
    """
    was_not_silent = F.col("former").isNull() | (F.col("timestamp") >= silent_before)
    nothing = F.lit(None).cast("double")
    return (
        cameras.where((F.col("timestamp") < silent_now) & was_not_silent)
        .withColumn("alert", F.lit(SILENT))
        .withColumn("since", F.col("timestamp"))
        .withColumns(dict.fromkeys(_ALERT[2:], nothing))
        .transform(_named)
    )


def alert_records(alerts: DataFrame) -> DataFrame:
    """Turn alerts with a zip_code into records: the key is the device_id, the value is JSON.

    The id of an alert is made of camera, message and kind, so it is the same when it is sent again.
    """
    identity = F.concat_ws(":", "device_id", "partition", "offset", "alert")
    value = F.struct(
        identity.alias("id"),
        "device_id",
        "alert",
        "since",
        F.col("timestamp").alias("reported_at"),
        "partition",
        "offset",
        "zip_code",
        "name",
        "structure_id",
        *_ALERT[2:],
    )
    return alerts.select(
        F.col("device_id").alias("key"),
        F.to_json(value, {"timestampFormat": MILLISECONDS}).alias("value"),
    )


def in_order_of_time(alerts: DataFrame) -> DataFrame:
    """Return the alerts in one partition, those of the earliest changes first.

    Readers of the topic see in this order what one batch sends.
    """
    return alerts.coalesce(1).sortWithinPartitions("since", "timestamp", "partition", "offset")


def ago(clock: int | None, duration: timedelta) -> Column:
    """Return the moment that is so long before a clock (µs since 1970); null before it has run."""
    return F.timestamp_micros(F.lit(clock).cast("bigint")) - F.lit(duration)


def _named(alerts: DataFrame) -> DataFrame:
    """Keep the columns of an alert; its ``name`` is the first name that the camera has."""
    name = F.coalesce("name_long", "name", "where_name")
    return alerts.withColumn("name", name).select(*_CAMERA, *_ALERT)


def _seconds(start: Column, end: Column) -> Column:
    """Return the seconds between two moments; null if they are the wrong way round."""
    seconds = (F.unix_micros(end) - F.unix_micros(start)) / 1_000_000
    return F.when(seconds >= 0, seconds)
