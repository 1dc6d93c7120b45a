"""Each trigger takes records from topic to topic; two of them say what they cannot do."""

from statistics import median

import pytest

from examples.kafka.triggers import KAFKAS_FETCH_WAIT_MS, TRIGGERS, run
from examples.playground import Playground

pytestmark = [pytest.mark.spark, pytest.mark.kafka]

REFUSED = {
    "Continuous with a count": "does not support Aggregate",
    "Continuous into Delta": "Unknown type of trigger: ContinuousTrigger",
    "Real time with a count": "HashAggregateExec",
    "Real time with a Python function": "EvalPythonExec",
    "Real time into Delta": "DeltaSink",
    "Real time in append mode": "The output mode Append is not supported",
}


def test_every_trigger_takes_records_from_topic_to_topic(playground: Playground) -> None:
    observed = run(playground, records=5)
    latencies = {name: found.latencies for name, found in observed.measured.items()}
    assert {name: len(found) for name, found in latencies.items()} == {
        **dict.fromkeys(TRIGGERS, 5),
        "available now": 1,
    }
    assert all(each >= 0 for found in latencies.values() for each in found)
    micro_batches = dict.fromkeys(("default", "every second", "available now"), "MicroBatchScan")
    assert {name: found.scan for name, found in observed.measured.items()} == {
        **micro_batches,
        "continuous": "ContinuousScan",
        "real time": "RealTimeStreamScan",
    }
    long = observed.measured_with_long_waits
    assert {name: (len(found.latencies), found.scan) for name, found in long.items()} == {
        "default": (5, "MicroBatchScan"),
        "continuous": (5, "ContinuousScan"),
        "real time": (5, "RealTimeStreamScan"),
    }
    held_back_ms = KAFKAS_FETCH_WAIT_MS * 0.8
    for name in ("default", "continuous"):
        assert min(latencies[name]) < held_back_ms < median(long[name].latencies), name
    assert min(long["real time"].latencies) < held_back_ms
    assert median(latencies["real time"]) < median(latencies["every second"])
    pauses = observed.measured["every second"].between_batches
    assert len(pauses) >= 3
    assert median(pauses) > 900
    assert observed.refusals.keys() == REFUSED.keys()
    for name, words in REFUSED.items():
        assert words in observed.refusals[name], name
    for name in ("Real time with a count", "Real time with a Python function"):
        assert "not in the operator allowlist for Real-Time Mode" in observed.refusals[name]
    assert "not in the sink allowlist" in observed.refusals["Real time into Delta"]
