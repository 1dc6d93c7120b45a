"""The built wheel works in an empty environment, far from the checkout."""

import os
import re
import subprocess
import sys
import sysconfig
import venv
from pathlib import Path

import pytest

from contract.settings import load_settings
from demo.stack.working_folder import link_jars

ROOT = Path(__file__).parents[2]

pytestmark = [pytest.mark.kafka, pytest.mark.spark]


@pytest.fixture(scope="session")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The `nest` command of an environment that has the wheel and the packages it depends on.

    The packages are those of the test environment; the checkout is not on the path.
    """
    folder = tmp_path_factory.mktemp("wheel")
    build = ["build", "--wheel", "--no-build-isolation", "--python", sys.executable, "-o", folder]
    uv(*build, ROOT)
    (wheel,) = folder.glob("*.whl")
    venv.create(folder / "env")
    python = folder / "env" / "bin" / "python"
    uv("pip", "install", "--offline", "--no-deps", "--python", python, wheel)
    (site_packages,) = (folder / "env" / "lib").glob("*/site-packages")
    (site_packages / "dependencies.pth").write_text(sysconfig.get_path("purelib"))
    return folder / "env" / "bin" / "nest"


def uv(*arguments: str | Path) -> None:
    subprocess.run([Path(sys.executable).with_name("uv"), "--quiet", *arguments], check=True)


def run(nest: Path, folder: Path, *arguments: str, **settings: str) -> str:
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    done = subprocess.run(
        [nest, *arguments],
        cwd=folder,
        env={**environment, "NEST_HOMES": "20", "NEST_SPARK_UI_PORT": "0", **settings},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def test_the_wheel_adds_one_name_to_an_environment(installed: Path) -> None:
    (site_packages,) = (installed.parents[1] / "lib").glob("*/site-packages")
    names = {path.name.split("-")[0] for path in site_packages.iterdir() if path.is_dir()}
    assert names - {"pip", "setuptools", "pkg_resources", "_distutils_hack"} == {
        "nest_camera_analytics"
    }


def test_the_whole_chain_runs_from_the_wheel(
    installed: Path, fresh_topics: str, tmp_path: Path
) -> None:
    (tmp_path / ".nest").mkdir()
    link_jars(load_settings(), tmp_path / ".nest")
    assert "produce" in run(installed, tmp_path, "--help")
    here = {"NEST_BOOTSTRAP_SERVERS": fresh_topics}
    run(installed, tmp_path, "produce", "--messages", "300", **here)
    printed = run(installed, tmp_path, "pipeline", "--once", COLUMNS="40", **here)
    # A log has one line for each batch, however wide the terminal is.
    assert re.search("^stats .* behind, .* rows of state$", printed, re.MULTILINE), printed
    assert "people seen" in run(installed, tmp_path, "report", "--threshold", "0", **here)
    assert "The check holds" in run(installed, tmp_path, "check", **here)
    assert (tmp_path / ".nest" / "lake" / "camera" / "_delta_log").is_dir()
