"""A device_locations table of any size, for measuring what its lines cost."""

from pathlib import Path

from bench.environment import output_folder
from contract.settings import Settings


def with_devices(settings: Settings, count: int) -> Settings:
    """Return the settings with a device_locations file of at least ``count`` lines."""
    path = output_folder(settings) / f"device-locations-{count}.csv"
    text = Path(settings.device_locations).read_text()
    columns, lines = text.split("\n", 1)[0].count(",") + 1, text.count("\n") - 1
    empty = "," * (columns - 2)
    with path.open("w") as table:
        table.write(text)
        table.writelines(f"more-{n},{n % 100_000:05d}{empty}\n" for n in range(count - lines))
    return settings.model_copy(update={"device_locations": str(path)})
