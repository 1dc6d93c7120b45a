"""The commands of the README and of docs/own-kafka.md do what they say, as they stand there."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
README = (ROOT / "README.md").read_text()


def section(heading: str) -> str:
    return README.split(f"## {heading}\n")[1].split("\n## ")[0]


def commands(text: str) -> list[str]:
    """Return the command lines of a text, without their comments."""
    blocks = re.findall(r"(?:^    .+\n?)+", text, re.MULTILINE)
    return [line.split("  #")[0].strip() for block in blocks for line in block.splitlines()]


def shell(command: str, cwd: Path, **environment: str) -> str:
    done = subprocess.run(
        ["sh", "-ec", command],
        cwd=cwd,
        env={**os.environ, **environment},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def test_the_commands_of_a_newcomer_and_of_a_developer_are_make_targets() -> None:
    run_it = commands(section("Run it"))
    assert [each for each in run_it if each.startswith("make")] == ["make demo"]
    assert "make test" in commands(section("Work on it"))
    assert "nest up" in shell("make --dry-run demo", ROOT)
    assert "pytest" in shell("make --dry-run test", ROOT)


@pytest.mark.spark
@pytest.mark.kafka
@pytest.mark.timeout(600)
def test_the_pipeline_runs_on_your_own_kafka_and_places(fresh_topics: str, tmp_path: Path) -> None:
    """The lines as they are, with this run's Kafka for yours, and one pass of the pipeline."""
    nest = Path(sys.executable).with_name("nest")
    lines = commands((ROOT / "docs" / "own-kafka.md").read_text())
    assert any("nest pipeline" in line for line in lines)
    assert "export NEST_LAKE=my_lake/tables NEST_CHECKPOINTS=my_lake/checkpoints" in lines
    script = "\n".join(lines).replace("kafka:9092", fresh_topics)
    script = script.replace(". .venv/bin/activate", f"PATH={nest.parent}:$PATH")
    script = script.replace("nest pipeline", "nest pipeline --once")
    settings = {
        "NEST_STATE": os.environ.get("NEST_STATE", str(ROOT / ".nest")),
        "NEST_LAKE": "my_lake/tables",
        "NEST_CHECKPOINTS": "my_lake/checkpoints",
        "NEST_SPARK_UI_PORT": "0",
        "NEST_HOMES": "20",
    }
    shell(f"{nest} device-locations my_places.csv", tmp_path, **settings)
    mine = {**settings, "NEST_BOOTSTRAP_SERVERS": fresh_topics}
    shell(f"{nest} produce --messages 300", tmp_path, **mine)
    shell(script, tmp_path, **settings)
    said = shell(f"{nest} check", tmp_path, **mine, NEST_DEVICE_LOCATIONS="my_places.csv")
    assert "The check holds" in said
    assert {path.name for path in tmp_path.iterdir()} == {"my_lake", "my_places.csv"}
