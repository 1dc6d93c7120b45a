"""Read a document's cameras: the clean ones fast, the unusual ones by the rules, one by one.

A clean record, as nearly all are, is decoded by msgspec straight into the wanted fields; the rest
of the document is only validated. Where anything is unusual, :mod:`pipeline.parsing.rules` decides.
"""

from dataclasses import dataclass, field
from typing import Any

import msgspec
import numpy as np
import pyarrow as pa

from pipeline.parsing.arrow_columns import Typed, Unusual, columns, typed
from pipeline.parsing.rules import DEPTH, judge


@dataclass
class Decoded:
    """What a record holds: its cameras in their types, and what is wrong with it.

    ``reasons`` maps a reason to its detail, which names the cameras concerned.
    """

    cameras: list[Typed]
    reasons: dict[str, str] = field(default_factory=dict)


class Decoder:
    """Reads records into cameras of one Arrow type."""

    def __init__(self, camera: pa.StructType) -> None:
        self._camera = camera
        one: Any = typed(camera)
        self._cameras: Any = list[one]
        devices: Any = msgspec.defstruct("Devices", [("cameras", dict[str, one] | None, None)])
        document: Any = msgspec.defstruct("Document", [("devices", devices | None, None)])
        self._decode = msgspec.json.Decoder(document).decode

    def decode(self, records: pa.BinaryArray) -> tuple[list[Decoded], pa.StructArray]:
        """Return what each record holds, and the rows of all their cameras."""
        values = records.to_pylist()
        decoded = [
            (self._clean(value) if depth <= DEPTH else None) or self._judged(value)
            for value, depth in zip(values, most_depth(records), strict=True)
        ]
        try:
            return decoded, self._rows(decoded)
        except Unusual:
            pairs = zip(decoded, values, strict=True)
            decoded = [self._judged_if_unusual(each, value) for each, value in pairs]
            return decoded, self._rows(decoded)

    def _clean(self, value: bytes | None) -> Decoded | None:
        """Read a record in which nothing is unusual; None for another."""
        if value is None:
            return None
        try:
            if not value.isascii():
                value.decode()  # in what it skips msgspec does not look for bytes that are no text
            devices = self._decode(value).devices
        except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
            return None
        cameras = list(devices.cameras.values()) if devices and devices.cameras else []
        if not all(camera and camera.device_id for camera in cameras):
            return None
        return Decoded(cameras)

    def _judged(self, value: bytes | None) -> Decoded:
        judged = judge(value, self._camera)
        return Decoded(msgspec.convert(judged.cameras, self._cameras), judged.reasons)

    def _judged_if_unusual(self, decoded: Decoded, value: bytes | None) -> Decoded:
        """Judge a record whose cameras by themselves cannot be laid out."""
        try:
            columns(decoded.cameras, self._camera)
        except Unusual:
            return self._judged(value)
        return decoded

    def _rows(self, decoded: list[Decoded]) -> pa.StructArray:
        return columns([camera for each in decoded for camera in each.cameras], self._camera)


def most_depth(records: pa.BinaryArray) -> list[int]:
    """Return how deep each record can be nested at the most: its signs ``{`` and ``[`` in number.

    Those of all records are found at once, which costs a third of asking each.
    """
    _, offsets, data = records.buffers()
    ends = np.frombuffer(offsets, np.int32)[records.offset : records.offset + len(records) + 1]
    signs = np.frombuffer(data or b"", np.uint8)[: ends[-1]]
    found = np.flatnonzero(signs | 0x20 == ord("{"))  # the two signs differ in this bit alone
    depths: list[int] = np.diff(np.searchsorted(found, ends)).tolist()
    return depths
