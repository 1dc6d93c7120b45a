"""Which device_locations belongs to the world that a run simulates."""

from contract.settings import Settings

_WORLD = ("seed", "homes")


def place_devices(settings: Settings) -> Settings:
    """Return the settings with the device locations of their own world.

    The table in git is the default world's. For another seed or number of homes its table is
    written under ``settings.state``, unless NEST_DEVICE_LOCATIONS names one.
    """
    default = all(getattr(settings, name) == Settings.model_fields[name].default for name in _WORLD)
    if default or "device_locations" in settings.model_fields_set:
        return settings
    from producer.device_locations import write_device_locations

    path = settings.state / f"device_locations-{settings.seed}-{settings.homes}.csv"
    path.parent.mkdir(parents=True, exist_ok=True)
    write_device_locations(path, settings.seed, settings.homes)
    return settings.model_copy(update={"device_locations": str(path)})
