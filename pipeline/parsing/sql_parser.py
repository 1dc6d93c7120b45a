"""Parse person events by Spark's own functions, without Python workers.

Real-time mode cannot use Python workers. The rules are those of :mod:`pipeline.parsing.rules`, as
far as they decide about sightings. docs/architecture.md lists the few spellings that differ.

Spark computes an expression again wherever it is used, which made this 15 times as slow. What comes
out of an ``explode`` is computed once, so each step ends in one.
"""

from pyspark.sql import Column, DataFrame
from pyspark.sql import functions as F

from contract.secret_finder import ADDRESS_SLASHES
from pipeline.parsing.strict_json import MAX_DEPTH

_SEALED = (
    "document struct<devices: struct<cameras: map<string,"
    " struct<device_id: string, last_event: variant>>>>, seal bigint, _corrupt_record string"
)
_SEAL_LEVELS = 1
_STRICT = {
    "allowSingleQuotes": "false",
    "allowNonNumericNumbers": "false",
    "maxNestingDepth": str(MAX_DEPTH + _SEAL_LEVELS),
    "maxNumLen": str(2**31 - 1),
}
"""What the rules take and what not, where Spark's parser is more generous or less by itself."""

_USUAL_TIME = r"^(?!0000)\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{1,9})?Z?\z"
"""What Spark's own cast reads as the rules do: the session's time zone is UTC."""
_TIME = (
    r"^(?!0000)(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d)(?:\.(\d{1,9}))?"
    r"(?:Z|([+-])(\d\d)(?::?([0-5]\d))?)?\z"
)
_LOCAL_TIME, _FRACTION, _SIGN, _OFFSET_HOURS, _OFFSET_MINUTES = 1, 2, 3, 4, 5
_LONE_SURROGATE = (
    r"(?<!\\)((?:\\\\)*)\\u[dD][89abAB]\p{XDigit}{2}(?!\\u[dD][c-fC-F]\p{XDigit}{2})"
    r"|(?<!\\u[dD][89abAB]\p{XDigit}{2})(?<!\\)((?:\\\\)*)\\u[dD][c-fC-F]\p{XDigit}{2}"
)
"""An escape that is half of a character; group 1 or 2 has the escaped backslashes before it."""
_ADDRESS = rf"(?U)({ADDRESS_SLASHES}[^\s\x1c-\x1f\"'?#]*)"
_ADDRESS_TAIL = rf"{_ADDRESS}[?#][^\s\x1c-\x1f\"']*"
"""An address in a text, with its query or fragment; group 1 is what comes before."""
_ADDRESS_USER = rf"(?U)({ADDRESS_SLASHES})[^/\s\x1c-\x1f\"?#]*@"
_RESPELLED_NUMBER = (
    r"^(?:-?0|-?(?:0|[1-9]\d*)(?:\.\d+|[eE][+-]?\d+|\.\d+[eE][+-]?\d+)|\"-?Infinity\")\z"
)
"""What Spark may make of a number in place of a text that was spelled otherwise: of 1.50 it makes
1.5, of 1e400 "Infinity", and of -0 a 0, so that a 0 may be either."""
_MINUTE = 60_000_000
"""A minute in microseconds."""


def parse_person_events(records: DataFrame) -> DataFrame:
    """Turn nest-logs records into the events in which a person was seen.

    Takes value and timestamp of each record; gives device_id, start_time, timestamp: a row for each
    camera of a well-formed document that has an id, and whose last event saw a person. A camera is
    left out where Spark may spell its id otherwise than the archive does, which would be the id of
    another one.
    """
    return (
        records.where(F.year("timestamp").between(1970, 9999))
        .select("timestamp", _well_formed("value").alias("parsed"))
        .select(
            "timestamp", F.explode(_last_of_each("parsed.document.devices.cameras")).alias("camera")
        )
        .where(F.to_json(_field("camera.last_event", "has_person")) == "true")
        .select("timestamp", _id_and_start("camera"))
        .where("device_id <> '' AND start_time IS NOT NULL")
        .where(~F.col("device_id").rlike(_RESPELLED_NUMBER) & ~_is_object_or_list("device_id"))
    )


def _well_formed(value: str) -> Column:
    """Give a record's value, parsed as the schema above says; no row for a malformed record.

    Spark's parser ignores what follows the first value. So the text is read as a field of an object
    whose second field is a hash of the text: a text that closes the object cannot know it.
    """
    text, seal = F.col(value).cast("string"), F.xxhash64(value)
    document = _without_lone_surrogates(text)
    sealed = F.concat(F.lit('{"document":'), document, F.lit(',"seal":'), seal, F.lit("}"))
    parsed = F.when(F.is_valid_utf8(text), F.from_json(sealed, _SEALED, _STRICT))

    def is_well_formed(parsed: Column) -> Column:
        names = F.map_keys(parsed.document.devices.cameras)
        # Names that became equal by the replacement are of different cameras.
        are_names_kept = _has_each_once(names) | (document == text)
        return (parsed.seal == seal) & parsed._corrupt_record.isNull() & are_names_kept

    return F.explode(F.filter(F.array(parsed), is_well_formed))


def _last_of_each(cameras: str) -> Column:
    """Give the values of a map, of a name that it has twice the last one."""
    names, values = F.map_keys(cameras), F.map_values(cameras)
    backwards = F.reverse(names)
    last = F.transform(
        F.array_distinct(names),
        lambda name: F.element_at(values, (-F.array_position(backwards, name)).cast("int")),
    )
    return F.when(_has_each_once(names), values).otherwise(last)


def _has_each_once(names: Column) -> Column:
    return F.size(F.array_distinct(names)) == F.size(names)


def _without_lone_surrogates(text: Column) -> Column:
    """Replace lone surrogates, which Spark's parser refuses, by question marks."""
    replaced = F.regexp_replace(text, _LONE_SURROGATE, "$1$2?")
    return F.when(text.contains(r"\u"), replaced).otherwise(text)


def _id_and_start(camera: str) -> Column:
    """Give a camera's device_id, as the archive keeps it, and the start of its last event."""
    start_time = _field(f"{camera}.last_event", "start_time")
    row = F.struct(
        _redact_address(F.col(f"{camera}.device_id")).alias("device_id"),
        _as_instant(start_time).alias("start_time"),
    )
    return F.inline(F.array(row))


def _field(variant: str, name: str) -> Column:
    return F.try_variant_get(variant, f"$.{name}", "variant")


def _redact_address(text: Column) -> Column:
    """Cut the query, fragment and user of an address, as the archive does in a text."""
    return F.regexp_replace(F.regexp_replace(text, _ADDRESS_USER, "$1"), _ADDRESS_TAIL, "$1")


def _is_object_or_list(text: str) -> Column:
    """Tell whether a text is a JSON object, of which the archive redacts parts, or a list."""
    return F.col(text).rlike(r"[{\[]") & F.try_parse_json(text).isNotNull()


def _as_instant(field: Column) -> Column:
    """Return a string as a timestamp if it is one, cut off at the microsecond; else null."""
    text = F.when(F.to_json(field).startswith('"'), F.try_variant_get(field, "$", "string"))
    return F.when(text.rlike(_USUAL_TIME), text.try_cast("timestamp")).otherwise(_parse(text))


def _parse(text: Column) -> Column:
    """Read any spelling of a timestamp that the rules know; null for any other."""

    def part(group: int) -> Column:
        return F.regexp_extract(text, _TIME, group)

    fraction = F.rpad(F.substring(part(_FRACTION), 1, 6), 6, "0")
    local_time = F.concat(part(_LOCAL_TIME), F.lit("."), fraction).try_cast("timestamp")
    hours, minutes = (
        F.concat(F.lit("0"), part(group)).cast("bigint")
        for group in (_OFFSET_HOURS, _OFFSET_MINUTES)
    )
    offset = F.when(part(_SIGN) == "-", -1).otherwise(1) * (hours * 60 + minutes)
    instant = F.timestamp_micros(F.unix_micros(local_time) - offset * _MINUTE)
    return F.when((hours < 24) & F.year(instant).between(1, 9999), instant)
