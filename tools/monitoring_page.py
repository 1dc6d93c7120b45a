"""docs/monitoring.md, and the alerts' part of docs/runbook.md, from the metrics and the rules."""

import re
from pathlib import Path
from typing import NamedTuple

import yaml

from bench.reporting.markdown_table import markdown_table
from monitoring.metrics import METRICS

RULES = Path(__file__).parent.parent / "monitoring" / "alerts.yml"

_HEAD = """\
# Monitoring

    nest metrics

serves what [Prometheus](https://prometheus.io) scrapes at <http://localhost:9464/metrics>. `nest
up` starts it when the first report is there. It is a process of its own: it reads the topics, and
the log of each table with delta-rs, so it tells the truth also when the pipeline is dead. It
holds about 120 MB, and takes half a percent of a core.

    docker compose --profile monitoring up

starts it beside the demo in Docker, with Prometheus and Grafana:

| address | what is there |
| --- | --- |
| <http://localhost:3000> | Grafana with the board of the demo: to look at, without a login |
| <http://localhost:9090/alerts> | Prometheus: the alerts, and whether they fire |
| <http://localhost:9464/metrics> | the metrics themselves |

`docker compose --profile monitoring down` stops all of it.

The ports are bound to 127.0.0.1; `.env` has `GRAFANA_PORT`, `PROMETHEUS_PORT` and `METRICS_PORT`.
Prometheus keeps a week, at most 512 MB. Board, rules and configuration are files of
[monitoring/](../monitoring): [nest.json](../monitoring/grafana/dashboards/nest.json),
[alerts.yml](../monitoring/alerts.yml), [prometheus.yml](../monitoring/prometheus.yml).

To see alerts come and go, open them, and in another terminal type `docker compose run --rm drill
kafka-away`, or `docker compose stop pipeline` and two minutes later `docker compose start
pipeline`.

A Prometheus of your own needs no Docker: put `monitoring/alerts.yml` beside its configuration,
and the job `nest` with the target `localhost:9464`.

## How it is read

- Kafka is read every 5 s and the lake every 15 s, in the background. A scrape waits for neither
  and gives what was read last. After four such times without a successful read, the value is left
  out, and `nest_kafka_up` or `nest_lake_up` is 0. So a gap on the board says that nobody knows.
- A time is exported as an instant: `time() - nest_check_timestamp_seconds` is the age of the
  check, also when nothing is read any more. The freshness of the counts is `time() -
  nest_newest_counted_record_timestamp_seconds`. Without new messages it grows, too; an alert asks
  for messages that wait.
- A query reports each batch, and every ten seconds between them that it still runs. A killed
  pipeline cannot say that it is gone: it is told by its silence. A query counts as down when it has
  reported nothing for 45 s. The pipeline is down when counts and archive are, and then no other
  query is up. A query that hangs in a batch counts as up, and its lag grows.
- `sightings` commits every five minutes, so its lag grows and falls with that.
- `nest check` leaves its verdict in `last-check.json` in the folder of `NEST_STATE`, if there is
  one; a check from the page Proof and a drill's do, too. In Docker it is the volume `state`,
  where drills leave none.
- The rows of the quarantine are counted when there are new ones, in at most 2 % of the time.

## Metrics

"""

_ALERTS = """
## Alerts

`page` means that somebody has to act now, `look` that it can wait for the morning. What to do is
in [runbook.md](runbook.md#what-the-alerts-say). `promtool test rules
tests/monitoring/alerts_test.yml` shows when each one fires; `make test` runs it.

"""

_TAIL = """
## In production

Prometheus sends alerts to an Alertmanager, which tells people; here they are only shown. `nest
metrics` runs once for each pipeline, near Kafka and the lake, with a user who may only read.
Nobody but Prometheus may reach its port: set `NEST_BIND_ADDRESS`, and put TLS and a login before
it. Kafka's own metrics (disk, replicas, controllers) come from its JMX exporter, and Spark's from
its UI at `/metrics/executors/prometheus`. `nest check` runs by a schedule, on the machine of
`nest metrics` or with its `NEST_STATE`. The bounds in `alerts.yml` fit the demo: set those of
lag, freshness and files to what your own quiet week shows.
"""

_RUNBOOK = """
## What the alerts say

The rules of [monitoring/alerts.yml](../monitoring/alerts.yml); [monitoring.md](monitoring.md) has
their bounds.

"""


class Alert(NamedTuple):
    """An alert rule."""

    name: str
    expression: str
    after: str
    """How long the expression has to be true."""
    severity: str
    summary: str
    """What it says, with … for what is filled in."""
    do: str
    runbook: str
    """File and anchor of its line in the runbook."""


def alerts() -> list[Alert]:
    """Return the rules in their order."""
    (group,) = yaml.safe_load(RULES.read_text())["groups"]
    return [_alert(rule) for rule in group["rules"]]


def _alert(rule: dict[str, dict[str, str]]) -> Alert:
    notes = rule["annotations"]
    return Alert(
        str(rule["alert"]),
        str(rule["expr"]),
        str(rule.get("for", "at once")),
        rule["labels"]["severity"],
        re.sub(r"{{.*?}}", "…", notes["summary"]),
        notes["do"],
        notes["runbook"],
    )


def monitoring_page() -> str:
    """Return docs/monitoring.md."""
    metrics = markdown_table(
        ("metric", "labels", "unit", "meaning"),
        [(f"`{each.name}`", ", ".join(each.labels), each.unit, each.meaning) for each in METRICS],
    )
    rules = markdown_table(
        ("alert", "kind", "after", "when"),
        [
            (
                f"[{each.name}](runbook.md#{each.name.lower()})",
                each.severity,
                each.after,
                f"`{each.expression}`".replace("|", "\\|"),
            )
            for each in alerts()
        ],
    )
    return "".join([_HEAD, metrics, _ALERTS, rules, _TAIL])


def alerts_section() -> str:
    """Return the part of docs/runbook.md that says what to do at each alert."""
    return _RUNBOOK + markdown_table(
        ("alert", "what has happened", "what to do"),
        [
            (
                f'<a id="{each.name.lower()}"></a>{each.name}',
                each.summary,
                each.do,
            )
            for each in alerts()
        ],
    )
