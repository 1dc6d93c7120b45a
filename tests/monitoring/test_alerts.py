"""The alert rules and the board: right by promtool, and about metrics that are exported."""

import json
import re
import subprocess
from pathlib import Path

import pytest

from monitoring.metrics import METRICS
from tests.fixtures.prometheus import find_tool
from tools.monitoring_page import alerts
from tools.runbook_page import runbook_page

ROOT = Path(__file__).parents[2]
MONITORING = ROOT / "monitoring"
BOARD = MONITORING / "grafana" / "dashboards" / "nest.json"
EXPORTED = {metric.name for metric in METRICS}


@pytest.mark.parametrize(
    "arguments",
    [
        ("check", "config", "monitoring/prometheus.yml"),
        ("test", "rules", "tests/monitoring/alerts_test.yml"),
    ],
)
def test_the_rules_are_right_and_fire_when_they_have_to(arguments: tuple[str, ...]) -> None:
    done = subprocess.run(
        [find_tool("promtool"), *arguments], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr


def test_each_rule_is_tested_both_firing_and_not() -> None:
    cases = (ROOT / "tests" / "monitoring" / "alerts_test.yml").read_text()
    for alert in alerts():
        assert re.search(rf"alertname: {alert.name}\n +exp_alerts", cases), alert.name
    silent = set(re.findall(r"{eval_time: \w+, alertname: (\w+)}", cases))
    assert {alert.name for alert in alerts()} == silent


def test_rules_and_board_name_only_metrics_that_are_exported() -> None:
    board = json.loads(BOARD.read_text())
    expressions = [target["expr"] for panel in board["panels"] for target in panel["targets"]] + [
        alert.expression for alert in alerts()
    ]
    named = set(re.findall(r"\bnest_[a-z_]+", " ".join(expressions)))
    assert named <= EXPORTED
    assert len(board["panels"]) >= 10
    assert all(panel["datasource"]["uid"] == "prometheus" for panel in board["panels"])


def test_each_alert_says_what_has_happened_and_has_its_line_in_the_runbook() -> None:
    page = runbook_page()
    for alert in alerts():
        file, anchor = alert.runbook.split("#")
        assert file == "docs/runbook.md"
        assert f'<a id="{anchor}"></a>{alert.name} |' in page
        assert alert.summary.endswith("."), alert.name
        assert alert.do
