"""The rules for bad input, applied to one record at a time: exact, and slow.

Nearly all records are clean and are decoded by :mod:`pipeline.parsing.decode`; only a record with
something unusual in it comes here. Each field is compared with the camera's type: a wrong field
costs only that field, a camera without an id only that camera, and only a record that is no Nest
document is rejected as a whole.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field

import pyarrow as pa

from contract.instants import format_instant
from contract.lake import MALFORMED, NO_DEVICE_ID, WRONG_FIELD
from contract.redaction import redact_field, redact_text
from pipeline.parsing.detail import Detail, shorten, show_key
from pipeline.parsing.strict_json import (
    Json,
    Malformed,
    RawJson,
    dump_json,
    load_strictly,
    replace_surrogates,
)
from pipeline.parsing.timestamps import parse_timestamp

Camera = dict[str, Json]


@dataclass
class StrictParse:
    """What a record holds: its cameras, made to fit the type, and what is wrong with the record.

    Timestamps of the cameras are text in UTC with microseconds, which Arrow can cast.
    ``reasons`` maps a reason to its detail, which names the cameras concerned and shows no
    credential that the archive does not have.
    """

    cameras: list[Camera] = field(default_factory=list)
    reasons: dict[str, str] = field(default_factory=dict)


def parse_strictly(value: bytes | None, camera_type: pa.StructType) -> StrictParse:
    """Parse a record's value; of each camera keep the fields that ``camera_type`` has."""
    parse = StrictParse()
    without_id, wrong_fields = Detail(show_key), Detail(str)
    try:
        cameras = dict(_camera_entries(load_strictly(value)))
    except Malformed as error:
        parse.reasons[MALFORMED] = redact_text(str(error))
        return parse
    for key, camera in cameras.items():
        wrong_paths = Detail(str)
        fitted = _fit(camera, camera_type, "", wrong_paths)
        device_id = fitted and fitted["device_id"]
        if not device_id:
            without_id.append(replace_surrogates(key))
            continue
        parse.cameras.append(fitted)
        if wrong_paths:
            wrong_fields.extend(shorten(redact_field(device_id)), wrong_paths)
    if without_id:
        parse.reasons[NO_DEVICE_ID] = str(without_id)
    if wrong_fields:
        parse.reasons[WRONG_FIELD] = str(wrong_fields)
    return parse


def _camera_entries(document: Json) -> Iterator[tuple[str, Json]]:
    """Yield the entries of ``devices.cameras``, each an object or null.

    Raises Malformed if the document, its devices, its cameras or one of these is anything else.
    """
    if not isinstance(document, dict):
        raise Malformed("not a JSON object")
    for name in ("devices", "cameras"):
        document = document.get(name)
        if document is None:
            return
        if not isinstance(document, dict):
            raise Malformed(f"{name} is not an object")
    for key, camera in document.items():
        if camera is not None and not isinstance(camera, dict):
            raise Malformed(f"camera {show_key(replace_surrogates(key))} is not an object")
    yield from document.items()


def _fit(value: Json, wanted: pa.DataType, path: str, wrong_paths: Detail) -> Json:
    """Return the value if it fits the type, else None; append the path of what does not fit."""
    if value is None:
        return None
    if pa.types.is_struct(wanted) and isinstance(value, dict):
        return {
            part.name: _fit(
                value.get(part.name),
                part.type,
                f"{path}.{part.name}" if path else part.name,
                wrong_paths,
            )
            for part in wanted
        }
    if pa.types.is_list(wanted) and isinstance(value, list):
        return [
            _fit(item, wanted.value_type, f"{path}[{number}]", wrong_paths)
            for number, item in enumerate(value)
        ]
    if pa.types.is_boolean(wanted) and isinstance(value, bool):
        return value
    if pa.types.is_string(wanted) and not isinstance(value, list):
        return replace_surrogates(value if isinstance(value, str) else dump_json(value))
    if pa.types.is_timestamp(wanted) and isinstance(value, str) and not isinstance(value, RawJson):
        moment = parse_timestamp(value)
        if moment is not None:
            return format_instant(moment, "microseconds")
    wrong_paths.append(path)
    return None
