"""Where the zip codes are, from the coordinates in device_locations."""

from dataclasses import dataclass, field

import pandas as pd
import pyarrow as pa
import pyarrow.csv as pacsv
import pyarrow.fs as pafs

_COORDINATES = ("latitude", "longitude")
_PLACE = ["zip_code", "city", "latitude", "longitude"]
_DEVICE = ["device_id", "zip_code"]


@dataclass(frozen=True)
class Places:
    """Where zip codes and devices are, and why it is not known, if so."""

    rows: pd.DataFrame = field(default_factory=lambda: pd.DataFrame(columns=_PLACE))
    """zip_code and city (text), latitude and longitude (degrees)."""
    devices: pd.DataFrame = field(default_factory=lambda: pd.DataFrame(columns=_DEVICE))
    """The zip_code of each device_id, text."""
    problem: str | None = None


def read_places(uri: str) -> Places:
    """Read the zip codes' places from the CSV, a path or URI; a zip code lies amid its devices."""
    try:
        table = _read_csv(uri)
    except (OSError, pa.ArrowException) as error:
        return Places(problem=f"NEST_DEVICE_LOCATIONS={uri} cannot be read: {error}")
    rows = table.to_pandas()
    needed = [name for name in _DEVICE if name not in rows]
    devices = Places().devices if needed else rows[_DEVICE].drop_duplicates("device_id")
    missing = [name for name in ("zip_code", *_COORDINATES) if name not in rows]
    if missing:
        problem = f"NEST_DEVICE_LOCATIONS={uri} has no column {' and no '.join(missing)}."
        return Places(devices=devices, problem=problem)
    for name in _COORDINATES:
        rows[name] = pd.to_numeric(rows[name], errors="coerce")
    if "city" not in rows:
        rows["city"] = ""
    rows = rows[rows["latitude"].between(-85, 85) & rows["longitude"].between(-180, 180)]
    places = rows.groupby("zip_code", as_index=False).agg(
        {"city": "first", "latitude": "mean", "longitude": "mean"}
    )
    if places.empty:
        problem = f"NEST_DEVICE_LOCATIONS={uri} has no coordinates in any line."
        return Places(devices=devices, problem=problem)
    return Places(places[_PLACE], devices)


def _read_csv(uri: str) -> pa.Table:
    """Read the columns that are needed, as text: 01002 stays 01002."""
    filesystem, path = (
        pafs.FileSystem.from_uri(uri) if "://" in uri else (pafs.LocalFileSystem(), uri)
    )
    with filesystem.open_input_stream(path) as stream:
        header = pacsv.open_csv(stream).schema.names
    wanted = [name for name in {*_DEVICE, *_PLACE} if name in header]
    options = pacsv.ConvertOptions(
        include_columns=wanted, column_types=dict.fromkeys(wanted, pa.string())
    )
    with filesystem.open_input_stream(path) as stream:
        return pacsv.read_csv(stream, convert_options=options)
