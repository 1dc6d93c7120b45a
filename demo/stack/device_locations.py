"""The device_locations table that belongs to the simulation's seed and number of homes."""

from importlib.util import find_spec
from pathlib import Path

from contract.settings import Settings

OWN_TABLES = "device_locations-*.csv"
"""The pattern of the tables' names in the folder of the state."""
_SIMULATION = ("seed", "homes")


def ensure_device_locations(settings: Settings) -> Settings:
    """Return the settings with the table of their own simulation, writing it if it is missing.

    ``data/device_locations.csv`` is the default simulation's. The table of another seed or number
    of homes, or where there is no such file, is written under ``settings.state``, unless
    NEST_DEVICE_LOCATIONS names one. An installation without the producer writes nothing.
    """
    path = _own_table(settings)
    if path and not path.exists() and find_spec("zipcodes"):
        from producer.device_locations import write_device_locations

        write_device_locations(path, settings.seed, settings.homes)
    return with_device_locations(settings)


def with_device_locations(settings: Settings) -> Settings:
    """Return the settings with the table that an earlier run wrote for their simulation, if any."""
    path = _own_table(settings)
    if not path or not path.exists():
        return settings
    return settings.model_copy(update={"device_locations": str(path)})


def _own_table(settings: Settings) -> Path | None:
    """Return where the simulation's table belongs; None if the one that is set is right."""
    if "device_locations" in settings.model_fields_set:
        return None
    is_default = all(
        getattr(settings, name) == Settings.model_fields[name].default for name in _SIMULATION
    )
    if is_default and Path(settings.device_locations).exists():
        return None
    return settings.state / OWN_TABLES.replace("*", f"{settings.seed}-{settings.homes}")
