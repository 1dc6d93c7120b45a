"""Freshness: the time from sending a message until its sighting is counted, on a live system."""

import time
from contextlib import ExitStack, closing
from datetime import UTC, datetime
from pathlib import Path

from bench.environment import live_service, output_folder, temporary_environment
from bench.figures import percentiles
from bench.latency_probe import LatencyProbe, add_probe_location
from bench.process_usage import measure_usage
from check import run_check
from contract.kafka.log_offsets import end_offsets
from contract.polling import poll_until
from contract.print_line import PrintLine
from contract.settings import Settings

_SETTLE_S = 60.0
"""How long the live system runs before it is measured; the JVM compiles frequent code meanwhile."""
_FIRST_WITHIN_S = 180.0
_ALL_RUN_WITHIN_S = 400.0
"""A query starts when the one before it has caught up, or has not for two minutes."""
_LAST_WITHIN_S = 60.0


def measure_freshness(
    settings: Settings, rate: float, seconds: float, say: PrintLine
) -> dict[str, float]:
    """Run producer and pipeline live, with all queries, and time the sightings of a probe.

    ``rate`` is in messages per second. Returns the percentiles of the delay, the number of
    sightings, the messages per second that were in the topic, the CPU cores that the pipeline
    used, its highest memory, and whether the check holds afterwards.
    """
    with temporary_environment(settings) as own_settings, ExitStack() as stack:
        live = _live_settings(own_settings, rate)
        pipeline = live_service("Pipeline", live, "pipeline")
        stack.enter_context(pipeline)
        start = datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%S")
        producer = live_service("Producer", live, "produce", "--start", start)
        stack.enter_context(producer)
        poll_until(lambda: _messages(live) > 0, "the first message", _FIRST_WITHIN_S)
        probe = stack.enter_context(closing(LatencyProbe(live)))
        probe.start()
        poll_until(lambda: probe.delays, "the probe's first count", _FIRST_WITHIN_S)
        if live.sightings:  # the last query to start: what it costs belongs to the figures
            poll_until(lambda: probe.sighting_delays, "the first sighting", _ALL_RUN_WITHIN_S)
        _run_for(_SETTLE_S)
        with measure_usage(pipeline.pid) as usage:
            began, before = time.monotonic(), _messages(live)
            _run_for(seconds)
            ended, after = time.monotonic(), _messages(live)
        probe.stop_sending()
        poll_until(lambda: not probe.pending, "the probe's last count", _LAST_WITHIN_S)
        producer.stop()
        pipeline.stop()
        holds = run_check(live).holds
        delays = [delay for sent, delay in probe.delays if began <= sent < ended]
        sighting_delays = [s for sent, s in probe.sighting_delays if began <= sent < ended]
    sighting_figures = percentiles(sighting_delays) if live.sightings else {}
    figures = percentiles(delays) | {
        "probes": len(delays),
        **{f"sighting_{name}": value for name, value in sighting_figures.items()},
        "msg_s": round((after - before) / (ended - began)),
        "cores": round(usage.cpu_s / (ended - began), 2),
        "peak_mib": round(usage.peak_mib),
        "check_holds": holds,
    }
    say(f"{rate:g} messages/s live: {figures}")
    return figures


def _live_settings(settings: Settings, rate: float) -> Settings:
    """Return the settings of a live world at a rate, with the probe in device_locations."""
    locations = output_folder(settings) / "device_locations.csv"
    add_probe_location(Path(settings.device_locations), locations)
    return settings.model_copy(update={"rate": rate, "device_locations": str(locations)})


def _messages(settings: Settings) -> int:
    return sum(end_offsets(settings.bootstrap_servers).values())


def _run_for(seconds: float) -> None:
    """Let the live system run. This is a span of time that is measured, not a wait."""
    time.sleep(seconds)
