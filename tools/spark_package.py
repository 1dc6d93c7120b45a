"""Build what spark-submit takes to a cluster: ``make package`` writes it to dist/spark.

- ``nest.py``: what spark-submit runs, with a `nest` command after it;
- ``env.tar.gz``: an environment with the project's wheel and the packages that
  requirements/pipeline.txt pins, without pyspark, which each cluster has itself;
- ``jars/``: the connectors, and what Spark needs for an object store;
- ``log4j2.properties``: what Spark is to log, which NEST_LOG_LEVEL says;
- the wheel.
"""

import re
import shutil
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import venv_pack

from contract.errors import UserError
from contract.run_to_end import run_to_end
from contract.settings import Settings, load_settings

ROOT = Path(__file__).parents[1]
OUTPUT = ROOT / "dist" / "spark"
PATH_FILE = "nest_camera_analytics.pth"
"""A line on the path of the packed environment: its processes, executors too, find the rooms."""
_OF_THE_CLUSTER = {"pyspark", "py4j"}
_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]*")


def build_package(settings: Settings, output: Path) -> list[Path]:
    """Write the package to a folder, emptied first; return its files and folders.

    Raises UserError if a step fails or jars are missing.
    """
    folders = (settings.spark_jars, settings.s3a_jars)
    jars = [jar for folder in folders for jar in sorted(folder.glob("*.jar"))]
    if {jar.parent for jar in jars} != set(folders):
        raise UserError(f"Jars are missing in {settings.state / 'jars'}. Run `nest jars --s3a`.")
    shutil.rmtree(output, ignore_errors=True)
    (output / "jars").mkdir(parents=True)
    for jar in jars:
        shutil.copy(jar, output / "jars")
    shutil.copy(ROOT / "nest_camera_analytics" / "submit.py", output / "nest.py")
    shutil.copy(ROOT / "pipeline" / "spark" / "log4j2.properties", output)
    _run("-m", "hatchling", "build", "--target", "wheel", "--directory", str(output))
    with tempfile.TemporaryDirectory() as folder:
        environment = Path(folder) / "env"
        _make_environment(environment, next(output.glob("*.whl")), Path(folder))
        venv_pack.pack(str(environment), output=str(output / "env.tar.gz"), force=True)
    return sorted(output.iterdir())


def own_requirements(lock: str) -> str:
    """Return a lock file without the packages that a Spark cluster has itself."""
    return "".join(entry for entry in _entries(lock) if entry_name(entry) not in _OF_THE_CLUSTER)


def entry_name(entry: str) -> str:
    """Return the name of the package of a lock file's entry."""
    match = _NAME.match(entry)
    return match[0] if match else ""


def _entries(lock: str) -> Iterator[str]:
    """Yield each package's lines: they begin at the margin, and hashes are indented."""
    lines: list[str] = []
    for line in lock.splitlines(keepends=True):
        if lines and not line.startswith((" ", "\t")):
            yield "".join(lines)
            lines = []
        lines.append(line)
    yield "".join(lines)


def _make_environment(environment: Path, wheel: Path, folder: Path) -> None:
    lock = folder / "requirements.txt"
    lock.write_text(own_requirements((ROOT / "requirements" / "pipeline.txt").read_text()))
    _run("-m", "venv", "--without-pip", str(environment))
    python = str(environment / "bin" / "python")
    install = ["-m", "pip", "--python", python, "install", "--quiet", "--no-deps"]
    install += ["--disable-pip-version-check"]
    _run(*install, "--require-hashes", "-r", str(lock))
    _run(*install, str(wheel))
    (site_packages,) = (environment / "lib").glob("python*/site-packages")
    (site_packages / PATH_FILE).write_text("nest_camera_analytics\n")


def _run(*arguments: str) -> None:
    run_to_end([sys.executable, *arguments], f"`python {' '.join(arguments)}` failed", cwd=ROOT)


def main() -> None:
    """Build the package, and print what it is made of."""
    try:
        made = build_package(load_settings(), OUTPUT)
    except UserError as error:
        raise SystemExit(str(error)) from None
    for path in made:
        files = [path] if path.is_file() else list(path.iterdir())
        print(f"{sum(each.stat().st_size for each in files) / 1e6:7.1f} MB  {path}")


if __name__ == "__main__":
    main()
