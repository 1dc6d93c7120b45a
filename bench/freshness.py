"""Freshness: how long after its message is sent a sighting is in the counts, on a live system."""

import time
from collections.abc import Callable
from contextlib import ExitStack, closing
from datetime import UTC, datetime
from pathlib import Path

from bench.figures import percentiles
from bench.ground import folder_of, ground
from bench.probe import Probe, with_probe
from bench.tree import watched
from check import run_check
from contract.polling import poll_until
from contract.settings import Settings
from demo.stack.offsets import end_offsets
from demo.stack.service import Service
from demo.stack.services import environment, nest

SETTLE_S = 60.0
"""How long the live system runs before it is measured: the JVM compiles what it runs often."""
_FIRST_S = 180.0
_REST_S = 60.0


def measure_freshness(
    settings: Settings, rate: float, seconds: float, say: Callable[[str], None]
) -> dict[str, float]:
    """Run producer and pipeline live, both queries, and time a probe's sightings.

    Gives the percentiles of the time from sending to the visible count, the messages a second that
    were really there, the processor cores that the pipeline used and its highest
    memory, and whether the check holds afterwards.
    """
    with ground(settings) as own, ExitStack() as stack:
        live = _live(own, rate)
        pipeline = _service("Pipeline", live, "pipeline")
        stack.enter_context(pipeline)
        start = datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%S")
        producer = _service("Producer", live, "produce", "--start", start)
        stack.enter_context(producer)
        poll_until(lambda: _messages(live) > 0, "the first message", _FIRST_S)
        probe = stack.enter_context(closing(Probe(live)))
        probe.start()
        poll_until(lambda: probe.delays, "the probe's first count", _FIRST_S)
        _pass(SETTLE_S)
        with watched(pipeline.pid) as usage:
            began, before = time.monotonic(), _messages(live)
            _pass(seconds)
            ended, after = time.monotonic(), _messages(live)
        probe.stop_sending()
        poll_until(lambda: not probe.waiting, "the probe's last count", _REST_S)
        producer.stop()
        pipeline.stop()
        holds = run_check(live).holds
        delays = [delay for sent, delay in probe.delays if began <= sent < ended]
    figures = percentiles(delays) | {
        "probes": len(delays),
        "msg_s": round((after - before) / (ended - began)),
        "cores": round(usage.cpu_s / (ended - began), 2),
        "peak_mib": round(usage.peak_mib),
        "check_holds": holds,
    }
    say(f"{rate:g} messages/s live: {figures}")
    return figures


def _live(settings: Settings, rate: float) -> Settings:
    """Return the settings of a live world at a rate, the probe's place among the others."""
    places = folder_of(settings) / "device_locations.csv"
    with_probe(Path(settings.device_locations), places)
    return settings.model_copy(update={"rate": rate, "device_locations": str(places)})


def _service(name: str, settings: Settings, *command: str) -> Service:
    log = folder_of(settings) / f"{name.lower()}.log"
    return Service(
        name, nest(*command), log=log, environment=environment(settings), stop_timeout=15
    )


def _messages(settings: Settings) -> int:
    return sum(end_offsets(settings.bootstrap_servers).values())


def _pass(seconds: float) -> None:
    """Let time go by: here a span of time is what is measured, and not a condition."""
    time.sleep(seconds)
