"""The jars are the ones that the project was tested with, and shadow none of Spark's own."""

import re
from pathlib import Path
from xml.etree import ElementTree as Xml

import pyspark
import pytest

from contract.errors import UserError
from contract.settings import load_settings
from demo.stack.jars.fetch import fetch_jars
from demo.stack.jars.lock import DEMO, LOCK, jar_problems, locked_jars


@pytest.fixture
def jars(tmp_path: Path) -> Path:
    """A copy, by links, of the jars that `nest jars` has fetched."""
    real = load_settings().state.resolve() / "jars"
    for jar in locked_jars(DEMO):
        link = tmp_path / "jars" / jar.path
        link.parent.mkdir(parents=True, exist_ok=True)
        link.symlink_to(real / jar.path)
    return tmp_path / "jars"


def test_the_fetched_jars_are_as_listed(jars: Path) -> None:
    assert jar_problems(jars) == {}


def test_a_jar_with_another_content_is_named(jars: Path) -> None:
    path = locked_jars(DEMO)[0].path
    (jars / path).unlink()
    (jars / path).write_bytes(b"PK something else")
    assert "SHA-256 differs" in jar_problems(jars)[path]


def test_a_missing_jar_and_a_foreign_one_are_named(jars: Path) -> None:
    path = locked_jars(DEMO)[0].path
    (jars / path).unlink()
    (jars / "broker" / "foreign-1.0.jar").touch()
    found = jar_problems(jars)
    assert found == {path: "missing", "broker/foreign-1.0.jar": "not one of the project's jars"}


def test_the_lock_has_what_is_asked_for() -> None:
    asked = Xml.parse(LOCK.with_name("ivy.xml")).iter("dependency")  # noqa: S314 - ours
    wanted = {(each.get("org"), each.get("name"), each.get("rev")) for each in asked}
    locked = {(jar.group, jar.artifact, jar.version) for jar in locked_jars()}
    assert len(wanted) > 20
    assert wanted <= locked, "run `make lock`"


def test_right_jars_are_not_fetched_again(jars: Path) -> None:
    def refuse(done: int, total: int) -> None:
        pytest.fail("something was fetched")

    assert fetch_jars(jars.parent, refuse) is False


def test_without_a_network_one_sentence_says_what_is_missing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    nowhere = "-Dhttps.proxyHost=127.0.0.1 -Dhttps.proxyPort=9"
    monkeypatch.setenv("JAVA_TOOL_OPTIONS", nowhere)
    with pytest.raises(UserError, match=r"(?s)could not be fetched.*needs the network"):
        fetch_jars(tmp_path, lambda done, total: None)


def test_no_connector_jar_shadows_one_that_pyspark_ships() -> None:
    def artifact(name: str) -> str:
        return re.sub(r"-\d[\w.+-]*\.jar$", "", name)

    shipped = {artifact(jar.name) for jar in (Path(pyspark.__file__).parent / "jars").glob("*.jar")}
    ours = {jar.artifact for jar in locked_jars(("spark",))}
    assert len(shipped) > 200
    assert ours & shipped == set()
