"""docs/features.md: every row is there once, and all that it names exists."""

import ast
import re
from functools import cache
from pathlib import Path
from typing import NamedTuple

import pytest
import typer

from contract.settings import Settings
from demo.cli import app
from demo.drills.registry import DRILLS
from examples.registry import examples, find_example
from monitoring.metrics import METRICS
from tools.notebooks import HEADING

ROOT = Path(__file__).parents[1]
PAGE = ROOT / "docs" / "features.md"

ROWS = {"A": 17, "B": 17, "C": 7, "D": 9, "E": 4, "F": 5}
"""How many rows each part has."""
NOT_YET: list[str] = []
"""Rows that may say what is missing instead of naming a test. This list only gets shorter."""

NAMES = {
    "A1": "startingOffsets",
    "A2": "failOnDataLoss",
    "A3": "subscribe subscribePattern assign",
    "A14": "kafka. auto.offset.reset enable.auto.commit interceptor.classes group.id timestampType",
    "B1": "maxFilesPerTrigger maxBytesPerTrigger",
    "B2": "ignoreDeletes skipChangeCommits ignoreChanges",
    "B4": "startingVersion startingTimestamp",
    "B5": "withEventTimeOrder",
    "B6": "toTable",
    "B7": "numBytesOutstanding numFilesOutstanding",
    "B8": "foreachBatch",
    "B9": "txnAppId txnVersion",
    "B10": "availableNow",
    "B11": "failOnDataLoss",
    "B13": "schemaTrackingLocation",
    "B15": "txnAppId",
    "B16": "startingVersion=latest withEventTimeOrder numNewListedFiles backlogEndOffset",
    "C2": "maxOffsetsPerTrigger",
    "C3": "spark-submit",
    "D1": "StructType.fromJson",
    "D3": "mergeSchema",
    "E1": "saveAsTable",
}
"""The options and functions by which one looks for a row."""
WORDS = {
    "A7": ["explode"],
    "A8": ["device_locations", "has_person"],
    "A9": ["hour", "window", "compacted", "nest-camera-stats"],
    "A11": ["1,000"],
    "B8": ["update mode", "deduplicate"],
    "B12": ["GDPR"],
    "C1": ["kafka-python", "acknowledge"],
    "C2": ["OPTIMIZE"],
    "C4": ["exactly once"],
    "C6": ["replicat", "min.insync.replicas"],
    "C7": ["INSERT OVERWRITE", "OPTIMIZE"],
    "D3": ["schema enforcement", "schema evolution"],
    "D4": ["ACID"],
    "D7": ["console producer"],
    "D9": ["continuous", "at least once", "exactly once", "batch delay"],
    "E2": ["data skipping", "compress"],
    "E3": ["kafka-python"],
}
"""Other words by which one looks for a row, in lower or upper case."""

_CODE, _LINK = re.compile(r"`([^`]+)`"), re.compile(r"\]\(([^)]+)\)")
_SETTING, _METRIC = re.compile(r"\bNEST_\w+"), re.compile(r"\bnest_\w+")


class Row(NamedTuple):
    """A line of a table."""

    name: str
    what: str
    here: str
    test: str


def rows() -> list[Row]:
    text = PAGE.read_text().split(f"\n{HEADING}\n")[0]
    lines = [line for line in text.splitlines() if re.match(r"\| [A-Z]\d", line)]
    return [Row(*(cell.strip() for cell in line.strip("|").split("|"))) for line in lines]


def code(cell: str, start: str) -> list[str]:
    return [each for each in _CODE.findall(cell) if each.startswith(start)]


@cache
def functions_of(file: Path) -> set[str]:
    tree = ast.parse(file.read_text())
    return {node.name for node in ast.walk(tree) if isinstance(node, ast.FunctionDef)}


def test_every_row_is_there_once_and_in_order() -> None:
    expected = [f"{part}{number}" for part, n in ROWS.items() for number in range(1, n + 1)]
    assert [row.name for row in rows()] == expected


def test_only_what_is_known_to_be_missing_is_not_yet_there() -> None:
    assert [row.name for row in rows() if row.here.startswith("not yet")] == NOT_YET


@pytest.mark.parametrize("row", rows(), ids=lambda row: row.name)
def test_what_a_row_names_exists(row: Row) -> None:
    assert row.what
    require_names(row.what + row.here)
    commands, links = code(row.here, "nest "), _LINK.findall(row.here)
    for command in commands:
        require_command(command, row)
    for link in links:
        file, _, _ = link.partition("#")
        assert (PAGE.parent / file).is_file(), link
    tests = code(row.test, "tests/")
    for test in tests:
        file, _, name = test.partition("::")
        assert name in functions_of(ROOT / file), test
    if row.name not in NOT_YET:
        assert commands or links
        assert tests


def test_a_row_is_found_by_the_names_of_its_options() -> None:
    said = {row.name: code(row.what, "") for row in rows()}
    for row, names in NAMES.items():
        assert set(names.split()) <= set(said[row]), row


def test_a_row_is_found_by_the_words_of_its_text() -> None:
    said = {row.name: row.what.lower() for row in rows()}
    for row, words in WORDS.items():
        assert [word for word in words if word.lower() not in said[row]] == [], row


def test_every_example_is_in_the_rows_that_it_names() -> None:
    shown = {row.name: code(row.here, "nest example ") for row in rows()}
    for example in examples().values():
        for name in example.rows:
            assert f"nest example {example.name}" in shown[name], f"{name}: {example.name}"


@pytest.mark.parametrize("gone", ["NEST_GONE", "nest_gone_files"])
def test_a_setting_or_metric_that_is_gone_would_be_found(gone: str) -> None:
    with pytest.raises(AssertionError, match=gone):
        require_names(f"see `{gone}`")


def test_a_drill_that_is_gone_would_be_found() -> None:
    with pytest.raises(AssertionError, match="nest drill gone"):
        require_command("nest drill gone", rows()[0])


@pytest.mark.parametrize("wrong", ["nest tail", "nest report --gone", "nest restore camera"])
def test_a_command_that_cannot_be_typed_so_would_be_found(wrong: str) -> None:
    with pytest.raises(AssertionError, match=wrong):
        require_command(wrong, rows()[0])


def require_names(text: str) -> None:
    """Fail unless every setting and every metric that a text names exists."""
    settings = {f"NEST_{name.upper()}" for name in Settings.model_fields}
    assert set(_SETTING.findall(text)) <= settings
    assert set(_METRIC.findall(text)) <= {metric.name for metric in METRICS}


def require_command(command: str, row: Row) -> None:
    """Fail unless `nest` takes the command as it is written, and knows its drill.

    An example has to show this row.
    """
    _, name, *arguments = command.split()
    try:
        typer.main.get_group(app).commands[name].make_context(name, [*arguments])
    except Exception as error:
        raise AssertionError(f"{command}: {error}") from error
    if name == "drill":
        assert arguments[0] in {*DRILLS, "list"}, command
    if name == "example":
        assert row.name in find_example(arguments[0]).rows, command
