"""The docs: every command, drill, example and link in them is there."""

import json
import re
import shlex
import textwrap
from collections.abc import Iterator
from functools import cache
from importlib.util import find_spec
from pathlib import Path

import pytest
import typer
import yaml

from demo.cli import app
from demo.drills.registry import DRILLS
from examples.registry import examples

ROOT = Path(__file__).parents[1]
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]

_FENCE = re.compile(r"^```.*?^```", re.MULTILINE | re.DOTALL)
_SPAN, _INDENTED = re.compile(r"`([^`]+)`"), re.compile(r"^ {4}(\S.*)", re.MULTILINE)
_LINK = re.compile(r"(?:\]\(|src=\"|srcset=\")([^)\s\"]+)")
_COMMAND = re.compile(r"(?:[A-Z_]+=\S* )*(nest|make|docker compose|python -m) (.+)", re.DOTALL)
_PLACEHOLDER = re.compile(r"[A-Z]{2,}|…|\.\.\.")
_OPTIONS_WITH_VALUE = {"--profile", "--file", "--policy"}


def commands(page: Path) -> Iterator[tuple[str, list[str]]]:
    """Yield the program and the words after it of each command in code."""
    text = page.read_text()
    fenced = "\n".join(_FENCE.findall(text))
    rest = _FENCE.sub("", text)
    lines = [*fenced.splitlines(), *_INDENTED.findall(rest), *_SPAN.findall(rest)]
    for line in lines:
        found = _COMMAND.fullmatch(" ".join(line.removeprefix("$ ").split("  #")[0].split()))
        if found:
            yield found[1], shlex.split(re.sub(r"[\[\]]", "", found[2]))


def require_nest(words: list[str]) -> None:
    name, *rest = words
    known = typer.main.get_group(app).commands
    if _PLACEHOLDER.fullmatch(name) or name == "--help":
        return
    assert name in known, f"nest {name}"
    options = {
        option for each in known[name].params for option in (*each.opts, *each.secondary_opts)
    }
    for word in rest:
        if word.startswith("-") and word != "--help" and not _PLACEHOLDER.fullmatch(word):
            assert word in options, f"nest {name} {word}"
    for command, there in {"drill": {*DRILLS, "list"}, "example": set(examples())}.items():
        if name == command and rest and not rest[0].startswith("-"):
            assert rest[0] in there or _PLACEHOLDER.search(rest[0]), rest[0]


@cache
def compose_services() -> set[str]:
    """Return the services of all Compose files; ``!override`` is Compose's own."""
    texts = (path.read_text() for path in ROOT.glob("docker-compose*.yml"))
    files = (yaml.safe_load(text.replace("!override", "")) for text in texts)
    return {name for file in files for name in file["services"]}


def require_compose(words: list[str]) -> None:
    services = compose_services()
    at = 0
    while at < len(words) and words[at].startswith("-"):
        at += 2 if words[at] in _OPTIONS_WITH_VALUE else 1
    verb, *rest = words[at:] or ["up"]
    named = [word for word in rest if not word.startswith("-")]
    if (
        verb not in {"up", "run", "start", "stop", "restart", "logs", "rm", "exec", "build"}
        or not named
    ):
        return
    assert named[0] in services, f"docker compose {verb} {named[0]}"
    inside = rest[rest.index(named[0]) + 1 :]
    if verb == "run" and inside and named[0] in {"nest", "pipeline", "dashboard", "topics"}:
        require_nest(inside)
    if verb == "run" and inside and named[0] == "drill":
        require_nest(["drill", *inside])


@cache
def make_targets() -> set[str]:
    return set(re.findall(r"^([a-z][a-z-]*):", (ROOT / "Makefile").read_text(), re.MULTILINE))


def require(program: str, words: list[str]) -> None:
    """Fail unless there is such a command."""
    if program == "nest":
        require_nest(words)
    elif program == "docker compose":
        require_compose(words)
    elif program == "make":
        targets = [word for word in words if "=" not in word and not word.startswith("-")]
        assert set(targets) <= make_targets(), words
    else:
        assert find_spec(words[0]), words


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_every_command_of_a_page_is_there(page: Path) -> None:
    for program, words in commands(page):
        require(program, words)


def test_a_command_that_is_gone_would_be_found(tmp_path: Path) -> None:
    page = tmp_path / "page.md"
    gone = ["nest gone", "nest check --gone", "nest drill gone", "make gone"]
    gone += ["docker compose up gone", "docker compose run --rm nest gone", "python -m gone"]
    for line in gone:
        page.write_text(textwrap.indent(f"{line}  # what it does\n", "    "))
        (command,) = commands(page)
        with pytest.raises(AssertionError):
            require(*command)


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_every_link_of_a_page_leads_somewhere(page: Path) -> None:
    for link in _LINK.findall(page.read_text()):
        address, _, anchor = link.partition("#")
        if address.startswith(("http:", "https:")):
            continue
        target = (page.parent / address).resolve() if address else page
        assert target.exists(), link
        if anchor and target.suffix == ".md":
            assert anchor in anchors(target), link


def anchors(page: Path) -> set[str]:
    """Return where a link into a page can lead: headings, as a code host names them, and ids."""
    text = page.read_text()
    titles = re.findall(r"^#+ (.+)", text, re.MULTILINE)
    headings = {re.sub(r"[^\w\- ]", "", title.lower()).replace(" ", "-") for title in titles}
    return headings | set(re.findall(r'<a id="(.+?)">', text))


def test_code_on_the_slides_is_the_projects() -> None:
    blocks = re.findall(
        r"```python\n(.+?)```", (ROOT / "docs" / "slides.md").read_text(), re.DOTALL
    )
    stats = (ROOT / "pipeline" / "queries" / "stats.py").read_text()
    assert blocks
    assert all(block in stats for block in blocks)


def test_the_teachers_page_links_the_labs_with_their_minutes() -> None:
    page = (ROOT / "docs/teaching.md").read_text()
    line = r"^\| \[(\d+) (.+?)\]\(\.\./notebooks/(.+?)\) \| .+ \| (\d+) \|$"
    rows = {
        file: (number, title, minutes)
        for number, title, file, minutes in re.findall(line, page, re.MULTILINE)
    }
    notebooks = sorted((ROOT / "notebooks").glob("*.ipynb"))
    assert list(rows) == [notebook.name for notebook in notebooks]
    for notebook in notebooks:
        head = "".join(json.loads(notebook.read_text())["cells"][0]["source"])
        lab = re.match(r"# (\d+)\. (.+)\n+\*\*(\d+) minutes\*\*", head)
        assert lab is not None
        assert lab.groups() == rows[notebook.name]
