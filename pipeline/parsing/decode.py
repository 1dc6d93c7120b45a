"""Decode the cameras of records: clean records fast, unusual ones by the rules, one by one.

A clean record, as nearly all are, is decoded by msgspec straight into the wanted fields; the rest
of the document is only validated. A record with anything unusual in it goes to
:mod:`pipeline.parsing.rules`.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import msgspec
import numpy as np
import pyarrow as pa

from contract.lake import MALFORMED
from pipeline.parsing.arrow_columns import DecodedObject, NeedsStrictParse, decode_type, to_arrow
from pipeline.parsing.rules import parse_strictly
from pipeline.parsing.strict_json import MAX_DEPTH


@dataclass
class DecodedRecord:
    """What a record holds: its cameras, and what is wrong with the record.

    ``reasons`` maps a reason to its detail, which names the cameras concerned.
    """

    cameras: list[DecodedObject]
    reasons: dict[str, str] = field(default_factory=dict)


class Decoder:
    """Decodes records into cameras of one Arrow type."""

    def __init__(self, camera_type: pa.StructType) -> None:
        self._camera_type = camera_type
        camera: Any = decode_type(camera_type)
        self._cameras: Any = list[camera]
        devices: Any = msgspec.defstruct("Devices", [("cameras", dict[str, camera] | None, None)])
        document: Any = msgspec.defstruct("Document", [("devices", devices | None, None)])
        self._decode_document = msgspec.json.Decoder(document).decode

    def decode(
        self, values: pa.BinaryArray, unusable: Mapping[int, str]
    ) -> tuple[list[DecodedRecord], pa.StructArray]:
        """Return what each record holds, and all their cameras as rows.

        ``unusable`` has the numbers of records that are malformed whatever they hold, and why.
        """
        texts = values.to_pylist()
        decoded = [
            (self._decode_clean(text) if depth <= MAX_DEPTH else None)
            or self._decode_strictly(text)
            for text, depth in zip(texts, depth_bounds(values), strict=True)
        ]
        for number, detail in unusable.items():
            decoded[number] = DecodedRecord([], {MALFORMED: detail})
        try:
            return decoded, self._to_arrow(decoded)
        except NeedsStrictParse:
            pairs = zip(decoded, texts, strict=True)
            decoded = [
                record if self._fits_arrow(record) else self._decode_strictly(text)
                for record, text in pairs
            ]
            return decoded, self._to_arrow(decoded)

    def _decode_clean(self, value: bytes | None) -> DecodedRecord | None:
        """Decode a record in which nothing is unusual; None for any other."""
        if value is None:
            return None
        try:
            if not value.isascii():
                value.decode()  # msgspec does not validate UTF-8 in the fields that it skips
            devices = self._decode_document(value).devices
        except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
            return None
        cameras = list(devices.cameras.values()) if devices and devices.cameras else []
        if not all(camera and camera.device_id for camera in cameras):
            return None
        return DecodedRecord(cameras)

    def _decode_strictly(self, value: bytes | None) -> DecodedRecord:
        parse = parse_strictly(value, self._camera_type)
        return DecodedRecord(msgspec.convert(parse.cameras, self._cameras), parse.reasons)

    def _fits_arrow(self, record: DecodedRecord) -> bool:
        """Return whether the record's cameras can be converted without the rules."""
        try:
            self._to_arrow([record])
        except NeedsStrictParse:
            return False
        return True

    def _to_arrow(self, decoded: list[DecodedRecord]) -> pa.StructArray:
        return to_arrow([c for record in decoded for c in record.cameras], self._camera_type)


def depth_bounds(values: pa.BinaryArray) -> list[int]:
    """Return an upper bound of each record's nesting: how many ``{`` and ``[`` it has.

    They are counted for the whole batch at once, which costs a third of counting in each record.
    """
    _, offsets, data = values.buffers()
    ends = np.frombuffer(offsets, np.int32)[values.offset : values.offset + len(values) + 1]
    characters = np.frombuffer(data or b"", np.uint8)[: ends[-1]]
    opening = np.flatnonzero(characters | 0x20 == ord("{"))  # `[` differs from `{` in this bit only
    bounds: list[int] = np.diff(np.searchsorted(opening, ends)).tolist()
    return bounds
