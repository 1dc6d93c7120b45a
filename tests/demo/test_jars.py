"""The jars are the ones that the project was tested with, and shadow none of Spark's own."""

import re
from collections.abc import Iterator
from pathlib import Path
from xml.etree import ElementTree as Xml

import pyspark
import pytest

from contract.errors import UserError
from contract.settings import load_settings
from demo.stack.jars.fetch import fetch_jars
from demo.stack.jars.ivy import retrieve
from demo.stack.jars.lock import (
    DEMO,
    LOCK,
    WANTED,
    is_lock_current,
    jar_problems,
    locked_jars,
    write_lock,
)


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
    asked = Xml.parse(WANTED).iter("dependency")  # noqa: S314 - ours
    wanted = {(each.get("org"), each.get("name"), each.get("rev")) for each in asked}
    locked = {(jar.group, jar.artifact, jar.version) for jar in locked_jars()}
    assert len(wanted) > 20
    assert wanted <= locked, "run `make lock`"
    assert is_lock_current(), "run `make lock`"


def test_right_jars_are_not_fetched_again(jars: Path) -> None:
    def refuse(done: int, total: int) -> None:
        pytest.fail("something was fetched")

    assert fetch_jars(jars.parent, refuse) is False


class Repository:
    """Stands in for Maven Central: writes what it has where Ivy would put the jars."""

    def __init__(self, real: Path, **wrong: bytes) -> None:
        self.real, self.wrong = real, wrong
        self.asked: list[str] = []

    def retrieve(self, module: Path, sets: list[str], pattern: str, log: Path) -> Iterator[int]:
        for each in Xml.parse(module).iter("dependency"):  # noqa: S314 - ours
            of, name = each.get("conf").removesuffix("->default"), each.get("name")
            values = {"conf": of, "artifact": name, "revision": each.get("rev"), "ext": "jar"}
            path = Path(pattern.replace("[", "{").replace("]", "}").format_map(values))
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(self.wrong.get(name) or (self.real / of / path.name).read_bytes())
            self.asked.append(f"{of}/{path.name}")
            yield 2 * len(self.asked)


def test_only_what_is_not_right_is_fetched_and_foreign_jars_go(
    jars: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    missing, changed = (jar.path for jar in locked_jars(("broker",))[:2])
    repository = Repository(load_settings().state.resolve() / "jars")
    monkeypatch.setattr("demo.stack.jars.fetch.retrieve", repository.retrieve)
    (jars / missing).unlink()
    (jars / changed).unlink()
    (jars / changed).write_bytes(b"PK something else")
    (jars / "broker" / "foreign-1.0.jar").touch()
    steps = []
    assert fetch_jars(jars.parent, lambda done, total: steps.append((done, total))) is True
    assert sorted(repository.asked) == sorted([missing, changed])
    assert steps == [(2, 4), (4, 4)]
    assert jar_problems(jars) == {}
    assert not list(jars.glob(".*"))


def test_of_a_wrong_download_nothing_is_taken_and_what_was_there_stays(
    jars: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    missing, wrong = locked_jars(("broker",))[:2]
    real = load_settings().state.resolve() / "jars"
    repository = Repository(real, **{wrong.artifact: b"PK something else"})
    monkeypatch.setattr("demo.stack.jars.fetch.retrieve", repository.retrieve)
    for jar in (missing, wrong):
        (jars / jar.path).unlink()
    (jars / wrong.path).write_bytes(b"an older one")
    (jars / "broker" / "older-1.0.jar").touch()
    with pytest.raises(UserError, match=rf"{wrong.artifact}.*SHA-256 differs.*\nNone was taken"):
        fetch_jars(jars.parent, lambda done, total: None)
    assert not (jars / missing.path).exists()
    assert (jars / wrong.path).read_bytes() == b"an older one"
    assert (jars / "broker" / "older-1.0.jar").exists()


BREAKS_OFF_TWICE = """#!/bin/sh
echo x >>"$0.calls"
calls=$(wc -l <"$0.calls")
echo "	found one.jar in central"
[ "$calls" -le 2 ] || exit 0
echo "	[SUCCESSFUL ] part $calls"
echo "Connection reset: FAILED"
exit 1
"""


def test_a_network_that_breaks_off_is_asked_again_while_it_brings_more(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    java = tmp_path / "java"
    java.write_text(BREAKS_OFF_TWICE)
    java.chmod(0o755)
    monkeypatch.setattr("demo.stack.jars.ivy.java_command", lambda: str(java))
    steps = list(retrieve(tmp_path / "ivy.xml", ["spark"], "", tmp_path / "logs" / "jars.log"))
    assert max(steps) == 3  # one found, two fetched
    assert (tmp_path / "java.calls").read_text() == "x\n" * 3


def test_the_lock_is_written_as_it_is_read(tmp_path: Path) -> None:
    copy = tmp_path / "jars.lock"
    write_lock(reversed(locked_jars()), copy)
    assert copy.read_text() == LOCK.read_text()


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
