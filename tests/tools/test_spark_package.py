"""What `make package` puts into the environment of a cluster."""

from pathlib import Path

from tools.spark_package import entry_name, own_requirements

ROOT = Path(__file__).parents[2]


def test_the_environment_has_what_the_pipeline_pins_but_not_the_clusters_own_spark() -> None:
    lock = (ROOT / "requirements" / "pipeline.txt").read_text()
    own = own_requirements(lock)
    names = {entry_name(line) for line in own.splitlines() if not line.startswith(" ")}
    assert {"delta-spark", "msgspec", "obstore", "pyarrow", "pydantic-settings"} <= names
    assert not {"pyspark", "py4j"} & names
    assert own.count("--hash=") < lock.count("--hash=")


def test_an_entry_is_left_out_with_its_hashes() -> None:
    lock = (
        "msgspec==0.19 \\\n    --hash=sha256:1\n"
        "pyspark==4.2.0 \\\n    --hash=sha256:2\n"
        "rich==14 \\\n    --hash=sha256:3\n"
    )
    assert own_requirements(lock) == (
        "msgspec==0.19 \\\n    --hash=sha256:1\nrich==14 \\\n    --hash=sha256:3\n"
    )
