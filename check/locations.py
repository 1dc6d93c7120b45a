"""Read device_locations; zip codes are text, so that 01002 stays 01002."""

import csv
import io
from collections.abc import Iterator

import pyarrow as pa

from contract.arrow_filesystems import filesystem_and_path
from contract.errors import UserError
from contract.lake import absolute_location

_REQUIRED = ("device_id", "zip_code")


def read_locations(uri: str) -> Iterator[tuple[str, str]]:
    """Yield device_id and zip_code (may be empty) of each line of a CSV file, a path or URI.

    Raises UserError if there is no such file, it is not UTF-8, a column is missing or a device_id
    is empty.
    """
    try:
        filesystem, path = filesystem_and_path(uri)
        stream = filesystem.open_input_stream(path)
    except FileNotFoundError:
        raise UserError(
            f"There is no file {absolute_location(uri)} (NEST_DEVICE_LOCATIONS)."
        ) from None
    except (OSError, pa.ArrowException) as error:
        raise UserError(f"NEST_DEVICE_LOCATIONS={uri} cannot be read ({error}).") from None
    with io.TextIOWrapper(stream, encoding="utf-8-sig", newline="") as text:
        try:
            yield from _read_lines(csv.DictReader(text), uri)
        except (UnicodeDecodeError, csv.Error) as error:
            raise UserError(
                f"NEST_DEVICE_LOCATIONS={uri} cannot be read ({error}). Save it as CSV in UTF-8."
            ) from None


def _read_lines(lines: "csv.DictReader[str]", uri: str) -> Iterator[tuple[str, str]]:
    missing = [name for name in _REQUIRED if name not in (lines.fieldnames or ())]
    if missing:
        raise UserError(
            f"NEST_DEVICE_LOCATIONS={uri} has no column {' and no column '.join(missing)}; "
            "its first line must name device_id and zip_code."
        )
    for line in lines:
        if not line["device_id"]:
            raise UserError(f"Line {lines.line_num} of {uri} has no device_id. Remove it.")
        yield line["device_id"], line["zip_code"] or ""
