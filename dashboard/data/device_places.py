"""Where devices and zip codes are, from the device locations."""

from dataclasses import dataclass, field
from functools import cached_property

import pandas as pd
import pyarrow as pa
import pyarrow.csv as pacsv

from contract.arrow_filesystems import filesystem_and_path

_COORDINATES = ("latitude", "longitude")
_ZIP_CODE_COLUMNS = ["zip_code", *_COORDINATES]
_DEVICE_COLUMNS = ["device_id", "zip_code"]
_MAX_LATITUDE = 85
"""Mercator's projection stretches without limit towards the poles."""


@dataclass(frozen=True)
class DevicePlaces:
    """The zip code of each device and the coordinates of each zip code."""

    zip_codes: pd.DataFrame = field(default_factory=lambda: pd.DataFrame(columns=_ZIP_CODE_COLUMNS))
    """zip_code (text), latitude and longitude (degrees)."""
    devices: pd.DataFrame = field(default_factory=lambda: pd.DataFrame(columns=_DEVICE_COLUMNS))
    """device_id and zip_code, text; missing where the cell is empty."""
    cities: dict[str, str] = field(default_factory=dict)
    """The city of each zip code that has one."""
    problem: str | None = None
    """Why there are no coordinates; None if there are some."""

    @cached_property
    def zip_code_of(self) -> dict[str, str]:
        """The zip code of each device that has one."""
        placed = self.devices.dropna(subset="zip_code")
        return dict(zip(placed["device_id"], placed["zip_code"], strict=True))

    def name(self, zip_code: str) -> str:
        """Return what people call a zip code: ``Palo Alto 94304``, or itself without a city."""
        city = self.cities.get(zip_code)
        return f"{city} {zip_code}" if city else zip_code


def read_device_places(uri: str) -> DevicePlaces:
    """Read the device locations, a CSV at a path or URI.

    A zip code's coordinates are the mean of its devices'. A file that cannot be used raises
    nothing: the result says what is wrong.
    """
    try:
        table = _read_csv(uri)
    except (OSError, pa.ArrowException, UnicodeDecodeError) as error:
        advice = " Save it as CSV in UTF-8." if isinstance(error, ValueError) else ""
        return DevicePlaces(problem=f"NEST_DEVICE_LOCATIONS={uri} cannot be read: {error}.{advice}")
    rows = table.to_pandas()
    has_devices = all(name in rows for name in _DEVICE_COLUMNS)
    devices = (
        rows[_DEVICE_COLUMNS].drop_duplicates("device_id")
        if has_devices
        else DevicePlaces().devices
    )
    cities = _first_cities(rows)
    missing = [name for name in ("zip_code", *_COORDINATES) if name not in rows]
    if missing:
        problem = f"NEST_DEVICE_LOCATIONS={uri} has no column {' and no '.join(missing)}."
        return DevicePlaces(devices=devices, cities=cities, problem=problem)
    zip_codes = _mean_coordinates(rows)
    if zip_codes.empty:
        problem = f"NEST_DEVICE_LOCATIONS={uri} has no row with coordinates."
        return DevicePlaces(devices=devices, cities=cities, problem=problem)
    return DevicePlaces(zip_codes, devices, cities)


def _first_cities(rows: pd.DataFrame) -> dict[str, str]:
    """Return the first city of each zip code."""
    if not {"zip_code", "city"} <= set(rows):
        return {}
    named = rows.dropna(subset=["zip_code", "city"]).drop_duplicates("zip_code")
    return dict(zip(named["zip_code"], named["city"], strict=True))


def _mean_coordinates(rows: pd.DataFrame) -> pd.DataFrame:
    """Return zip_code, latitude and longitude, one row per zip code with coordinates."""
    for name in _COORDINATES:
        rows[name] = pd.to_numeric(rows[name], errors="coerce")
    is_on_map = rows["latitude"].between(-_MAX_LATITUDE, _MAX_LATITUDE)
    rows = rows[is_on_map & rows["longitude"].between(-180, 180)]
    return rows.groupby("zip_code", as_index=False)[[*_COORDINATES]].mean()


def _read_csv(uri: str) -> pa.Table:
    """Read the columns that are needed, as text: 01002 stays 01002. An empty cell is missing."""
    filesystem, path = filesystem_and_path(uri)
    with filesystem.open_input_stream(path) as stream:
        header = pacsv.open_csv(stream).schema.names
    columns = [name for name in {*_DEVICE_COLUMNS, *_ZIP_CODE_COLUMNS, "city"} if name in header]
    options = pacsv.ConvertOptions(
        include_columns=columns,
        column_types=dict.fromkeys(columns, pa.string()),
        strings_can_be_null=True,
        null_values=[""],
    )
    with filesystem.open_input_stream(path) as stream:
        return pacsv.read_csv(stream, convert_options=options)
