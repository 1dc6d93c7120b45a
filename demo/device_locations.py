"""Which device_locations belongs to the world that is simulated."""

from pathlib import Path

from contract.settings import Settings

_WORLD = ("seed", "homes")


def ensure_device_locations(settings: Settings) -> Settings:
    """Return the settings with the device locations of their own world, written if need be.

    The table in git is the default world's. That of another seed or number of homes is written
    under ``settings.state``, unless NEST_DEVICE_LOCATIONS names one.
    """
    path = _own_table(settings)
    if path:
        from producer.device_locations import write_device_locations

        write_device_locations(path, settings.seed, settings.homes)
    return with_device_locations(settings)


def with_device_locations(settings: Settings) -> Settings:
    """Return the settings with the device locations that an earlier run wrote for their world."""
    path = _own_table(settings)
    if not path or not path.exists():
        return settings
    return settings.model_copy(update={"device_locations": str(path)})


def _own_table(settings: Settings) -> Path | None:
    """Return where the world's table belongs; None if the one that is set is right."""
    default = all(getattr(settings, name) == Settings.model_fields[name].default for name in _WORLD)
    if default or "device_locations" in settings.model_fields_set:
        return None
    return settings.state / f"device_locations-{settings.seed}-{settings.homes}.csv"
