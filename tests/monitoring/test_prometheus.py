"""A real Prometheus scrapes a real Kafka and lake: alerts fire and end with what they are about."""

import json
import re
import subprocess
import time
import urllib.parse
import urllib.request
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from contract.kafka.connections import open_admin
from contract.polling import poll_until
from contract.progress import newest_progress
from contract.queries import Query
from contract.settings import Settings, load_settings
from contract.topic_admin import create_topics
from demo.health.check import keep_verdict
from demo.stack.broker import Broker
from demo.stack.ports import free_port
from monitoring.exporter import Exporter, serving
from monitoring.metrics import METRICS
from pipeline.running.progress_publisher import ProgressPublisher
from tests.fixtures.prometheus import find_tool
from tests.pipeline.running.new_publisher import new_publisher
from tests.sample.lake import append_cameras, append_quarantine, camera, rejected
from tests.sample.progress import send_messages
from tests.sample.verdicts import DIFFERS, HOLDS

pytestmark = [pytest.mark.kafka, pytest.mark.timeout(180)]

RULES = Path(__file__).parents[2] / "monitoring" / "alerts.yml"
CONFIGURATION = """\
global: {scrape_interval: 500ms, scrape_timeout: 400ms, evaluation_interval: 500ms}
rule_files: [alerts.yml]
scrape_configs:
  - job_name: nest
    static_configs: [{targets: ["127.0.0.1:PORT"]}]
"""


@dataclass(frozen=True)
class Watched:
    """What Prometheus says of a broker and a lake of the test's own."""

    address: str
    settings: Settings
    broker: Broker

    def get(self, path: str, **parameters: str) -> Any:
        """Return the data of an answer of Prometheus' API."""
        query = urllib.parse.urlencode(parameters)
        with urllib.request.urlopen(f"{self.address}/api/v1/{path}?{query}", timeout=10) as answer:  # noqa: S310
            return json.load(answer)["data"]

    def value(self, expression: str) -> float | None:
        """Return the value of an expression that gives one; None without a value."""
        result = self.get("query", query=expression)["result"]
        return float(result[0]["value"][1]) if result else None

    def firing(self) -> set[str]:
        alerts = self.get("alerts")["alerts"]
        return {each["labels"]["alertname"] for each in alerts if each["state"] == "firing"}

    def wait_for_value(self, expression: str, value: float) -> None:
        """Wait until an expression has a value: a reading that comes late is not there."""
        self.wait_for(lambda: self.value(expression) == value, f"{expression} = {value}")

    def wait_for(self, condition: Callable[[], bool], what: str) -> None:
        poll_until(condition, what, 60, 0.2)


@pytest.fixture(scope="module")
def watched(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Watched]:
    prometheus = find_tool("prometheus")
    folder = tmp_path_factory.mktemp("watched")
    broker = Broker(load_settings(), folder / "kafka", folder / "kafka.log", free_port())
    settings = Settings(
        bootstrap_servers=broker.bootstrap_servers, lake=str(folder / "lake"), state=folder
    )
    append_cameras(folder / "lake", camera("a", 1), camera("b", 2))
    append_quarantine(folder / "lake", rejected("malformed", 1))
    keep_verdict(settings, HOLDS, datetime.now(UTC))
    exporter = Exporter(settings, print, kafka_interval=0.5, lake_interval=0.5)
    with broker, serving(settings, 0, exporter) as port:
        with open_admin(broker.bootstrap_servers) as admin:
            create_topics(admin)
        rules = re.sub(r"\bfor: \w+", "for: 0s", RULES.read_text())
        (folder / "alerts.yml").write_text(rules)
        (folder / "prometheus.yml").write_text(CONFIGURATION.replace("PORT", str(port)))
        own_port = free_port()
        command = [
            prometheus,
            f"--config.file={folder / 'prometheus.yml'}",
            f"--storage.tsdb.path={folder / 'tsdb'}",
            f"--web.listen-address=127.0.0.1:{own_port}",
        ]
        with (folder / "prometheus.log").open("w") as log:
            process = subprocess.Popen(command, stdout=log, stderr=log)
        try:
            found = Watched(f"http://127.0.0.1:{own_port}", settings, broker)
            poll_until(lambda: answers(found), "Prometheus", 30)
            yield found
        finally:
            process.kill()
            process.wait(10)


def answers(watched: Watched) -> bool:
    try:
        return watched.value("nest_kafka_up") == 1
    except OSError:
        return False


def report(query: str, committed: int) -> str:
    """A report as Spark makes it, of a batch that has taken in partition 0 up to an offset."""
    source = {
        "description": "KafkaV2[Subscribe[nest-logs]]",
        "startOffset": {"nest-logs": {"0": 0}},
        "endOffset": {"nest-logs": {"0": committed}},
    }
    return json.dumps(
        {
            "id": f"id of {query}",
            "name": query,
            "timestamp": "2026-11-20T10:00:00.000Z",
            "batchId": committed,
            "batchDuration": 1_500,
            "stateOperators": [{"numRowsTotal": 40, "numRowsDroppedByWatermark": 2}],
            "sources": [source],
        }
    )


def run_pipeline(watched: Watched, committed: int) -> ProgressPublisher:
    """Publish what a pipeline publishes when it starts and ends a batch of each query."""
    kafka = watched.settings.bootstrap_servers
    publisher = new_publisher(kafka, earlier=newest_progress(kafka))
    for query in (Query.STATS, Query.ARCHIVE):
        publisher.publish_state(query, "running")
        publisher.publish_report(report(query, committed))
    return publisher


def test_alerts_fire_when_pipeline_kafka_or_check_fail_and_end_when_they_are_well_again(
    watched: Watched,
) -> None:
    sent_at = time.time() - 5
    send_messages(watched.settings.bootstrap_servers, 5, 5, 5)
    pipeline = run_pipeline(watched, committed=2)

    watched.wait_for(
        lambda: watched.value('sum by (query) (nest_query_lag_records{query="stats"})') == 1,
        "the lag of the counts",
    )
    watched.wait_for_value('nest_table_rows{table="camera"}', 2)
    watched.wait_for_value('nest_quarantine_rows{reason="malformed"}', 1)
    watched.wait_for_value('nest_query_batch_duration_seconds{query="archive"}', 1.5)
    newest = "nest_newest_counted_record_timestamp_seconds"
    watched.wait_for_value(newest, pytest.approx(sent_at, abs=3))
    names = set(watched.get("label/__name__/values"))
    of_table_queries = {"backlog_files", "backlog_bytes", "table_version"}
    assert {metric.name for metric in METRICS} - names == {
        f"nest_query_{name}" for name in of_table_queries
    }
    ours = {"PipelineDown", "KafkaUnreachable", "CheckFailed", "MetricsMissing", "TablesUnreadable"}
    watched.wait_for(lambda: not watched.firing() & ours, "that all is well")

    last = {query: json.loads(report(query, 2)) for query in (Query.STATS, Query.ARCHIVE)}
    pipeline.close(last, last)
    watched.wait_for(lambda: "PipelineDown" in watched.firing(), "the alert of the pipeline")
    pipeline = run_pipeline(watched, committed=3)
    watched.wait_for(lambda: not watched.firing() & ours, "the end of the pipeline's alert")
    pipeline.close([], {})

    watched.broker.kill()
    watched.wait_for(lambda: "KafkaUnreachable" in watched.firing(), "the alert of Kafka")
    # No scrape waits for Kafka, the lake is read on, and of the pipeline nobody knows.
    watched.wait_for_value("max(scrape_duration_seconds < 0.4) > bool 0", 1)
    watched.wait_for_value('nest_table_rows{table="camera"}', 2)
    watched.wait_for_value("nest_pipeline_up or vector(-1)", -1)
    watched.broker.start()
    watched.wait_for(lambda: not watched.firing() & ours, "the end of Kafka's alert")
    watched.wait_for_value('sum(nest_query_lag_records{query="stats"})', 0)

    keep_verdict(watched.settings, DIFFERS, datetime.now(UTC))
    watched.wait_for(lambda: "CheckFailed" in watched.firing(), "the alert of the check")
    keep_verdict(watched.settings, HOLDS, datetime.now(UTC))
    watched.wait_for(lambda: not watched.firing() & ours, "the end of the check's alert")
