"""The commands that hold a lock while they run: `nest reset` waits for the end of each."""

from enum import StrEnum


class ExclusiveCommand(StrEnum):
    """Such a command, as it is typed."""

    UP = "nest up"
    BROKER = "nest broker"
    RUN = "nest run"
    CLUSTER = "nest cluster up"
    DRILL = "nest drill"
    STORM = "nest storm"

    @property
    def lock(self) -> str:
        """The name of its lock's file, in NEST_STATE."""
        return f"{self.name.lower()}.json"
