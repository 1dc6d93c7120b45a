"""Which settings Compose hands to which service; an engine is not needed to test it."""

from typing import Any

import pytest
import yaml

from contract.settings import Settings
from tests.docker.compose import ROOT

PACE = {
    f"NEST_{name.upper()}"
    for name in Settings.model_fields
    if name.endswith(("_trigger", "_max_delay", "_after")) and name != "max_offsets_per_trigger"
}
"""How long each query waits for its batches, and a camera for its alert."""


@pytest.fixture(scope="module")
def services() -> dict[str, Any]:
    services: dict[str, Any] = yaml.safe_load((ROOT / "docker-compose.yml").read_text())["services"]
    return services


@pytest.mark.parametrize("name", ["pipeline", "dashboard", "nest"])
def test_who_judges_the_pipelines_pace_knows_its_settings(
    services: dict[str, Any], name: str
) -> None:
    assert {"NEST_ARCHIVE_MAX_DELAY", "NEST_SILENT_AFTER", "NEST_STATS_TRIGGER"} <= PACE
    assert PACE - services[name]["environment"].keys() == set()
