"""Parse person events by Spark's own functions, without Python workers.

Real-time mode cannot use Python workers. The rules are those of :mod:`pipeline.parsing.rules`, as
far as they decide about sightings. docs/architecture.md lists the few spellings that differ.
"""

from pyspark.sql import Column, DataFrame
from pyspark.sql import functions as F

_TIMESTAMP = (
    r"^(?!0000)(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d)(?:\.(\d{1,9}))?"
    r"(?:Z|([+-])(\d\d)(?::?([0-5]\d))?)?\z"
)
_LOCAL_TIME, _FRACTION, _SIGN, _OFFSET_HOURS, _OFFSET_MINUTES = 1, 2, 3, 4, 5
_LONE_SURROGATE = (
    r"(?<!\\)((?:\\\\)*)\\u[dD][89abAB]\p{XDigit}{2}(?!\\u[dD][c-fC-F]\p{XDigit}{2})"
    r"|(?<!\\u[dD][89abAB]\p{XDigit}{2})(?<!\\)((?:\\\\)*)\\u[dD][c-fC-F]\p{XDigit}{2}"
)
"""An escape that is half of a character; group 1 or 2 has the escaped backslashes before it."""
_MINUTE = 60_000_000
"""A minute in microseconds."""


def parse_person_events(records: DataFrame) -> DataFrame:
    """Turn nest-logs records into the events in which a person was seen.

    Takes value and timestamp of each record; gives device_id, start_time, timestamp: a row for each
    camera of a well-formed document that has an id, and whose last event saw a person.
    """
    cameras = F.try_variant_get(
        _parse_document("value"), "$.devices.cameras", "map<string,variant>"
    )
    return (
        records.where(F.year("timestamp").between(1970, 9999))
        .select("timestamp", cameras.alias("cameras"))
        .where(F.forall(F.map_values("cameras"), _is_object_or_null))
        .select("timestamp", F.explode(F.map_values("cameras")).alias("camera"))
        .select(
            _text("device_id").alias("device_id"),
            _instant("last_event.start_time").alias("start_time"),
            "timestamp",
            _json("last_event.has_person").alias("has_person"),
        )
        .where("device_id <> '' AND has_person = 'true' AND start_time IS NOT NULL")
        .drop("has_person")
    )


def _parse_document(value: str) -> Column:
    """Parse a record's value as a variant; null unless it is exactly one JSON value in UTF-8.

    Spark's parser ignores what follows the first value. So the text is read as the first item of a
    list whose second item is a hash of the text: a text that closes the list cannot know it.
    """
    text = _without_lone_surrogates(F.col(value).cast("string"))
    seal = F.xxhash64(value)
    sealed = F.try_parse_json(F.concat(F.lit("["), text, F.lit(","), seal, F.lit("]")))
    is_whole = F.try_variant_get(sealed, "$[1]", "bigint") == seal
    return F.when(F.is_valid_utf8(text) & is_whole, F.try_variant_get(sealed, "$[0]", "variant"))


def _without_lone_surrogates(text: Column) -> Column:
    """Replace lone surrogates, which Spark's parser refuses, by question marks."""
    has_surrogates = text.contains(r"\ud") | text.contains(r"\uD")
    replaced = F.regexp_replace(text, _LONE_SURROGATE, "$1$2?")
    return F.when(has_surrogates, replaced).otherwise(text)


def _is_object_or_null(camera: Column) -> Column:
    as_object = F.try_variant_get(camera, "$", "map<string,variant>")
    return F.is_variant_null(camera) | as_object.isNotNull()


def _json(path: str) -> Column:
    """Return a camera's field as compact JSON; null where the field is null or absent."""
    field = F.try_variant_get(F.col("camera"), f"$.{path}", "variant")
    return F.when(~F.is_variant_null(field), F.to_json(field))


def _string(path: str) -> Column:
    """Return a camera's field if it is a JSON string, else null."""
    return F.when(
        _json(path).startswith('"'), F.try_variant_get(F.col("camera"), f"$.{path}", "string")
    )


def _text(path: str) -> Column:
    """Return a camera's field as the archive keeps text; a list is a wrong type."""
    other = F.when(~_json(path).startswith("["), _json(path))
    return F.coalesce(_string(path), other)


def _instant(path: str) -> Column:
    """Return a camera's field as a timestamp if it is one, cut off at the microsecond."""

    def part(group: int) -> Column:
        return F.regexp_extract(_string(path), _TIMESTAMP, group)

    fraction = F.rpad(F.substring(part(_FRACTION), 1, 6), 6, "0")
    local_time = F.concat(part(_LOCAL_TIME), F.lit("."), fraction).try_cast("timestamp")
    hours, minutes = (
        F.concat(F.lit("0"), part(group)).cast("bigint")
        for group in (_OFFSET_HOURS, _OFFSET_MINUTES)
    )
    offset = F.when(part(_SIGN) == "-", -1).otherwise(1) * (hours * 60 + minutes)
    instant = F.timestamp_micros(F.unix_micros(local_time) - offset * _MINUTE)
    return F.when((hours < 24) & F.year(instant).between(1, 9999), instant)
