"""What a lab shows of the command by which it submits a job."""

from pathlib import Path

from contract.settings import Settings
from labs.spark_cluster import SparkCluster


def test_the_command_line_is_shown_without_paths_of_this_machine(tmp_path: Path) -> None:
    settings = Settings(state=tmp_path)
    settings.spark_jars.mkdir(parents=True)
    for name in ("b.jar", "a.jar", "c.jar"):
        (settings.spark_jars / name).touch()
    shown = SparkCluster(tmp_path).command_line(settings, "examples/job.py")
    first, master, *rest = shown.replace(" \\\n", "\n").splitlines()
    assert first == "spark-submit"
    assert master.strip().startswith("--master spark://")
    assert [line.strip() for line in rest] == [
        "--deploy-mode client",
        "--driver-memory 512m",
        "--executor-memory 512m",
        "--jars a.jar,... (2 more)",
        "examples/job.py",
    ]
