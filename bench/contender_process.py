"""Run one contender in this process, again and again, so that its code is warm when it is timed.

    python -m bench.contender_process NAME

Each line of standard input names a folder for lake and checkpoints. The answer is one line of JSON
with the figures of the run. Other settings come as ``NEST_*``.
"""

import json
import os
import sys
import time
from pathlib import Path

from bench.contenders.registry import CONTENDERS, Job
from bench.environment import with_output_folder
from bench.process_usage import measure_usage
from contract.kafka.log_offsets import end_offsets
from contract.settings import Settings, load_settings


def run_timed(job: Job, settings: Settings) -> dict[str, float]:
    """Run a job over the whole topic; return its seconds, messages, memory and CPU time."""
    with measure_usage(os.getpid()) as usage:
        began = time.perf_counter()
        job(settings)
        seconds = time.perf_counter() - began
    return {
        "seconds": round(seconds, 3),
        "messages": sum(end_offsets(settings.bootstrap_servers).values()),
        "peak_mib": round(usage.peak_mib),
        "cpu_s": round(usage.cpu_s, 2),
    }


def _serve(name: str) -> None:
    settings = load_settings()
    with CONTENDERS[name].prepare(settings) as job:
        for line in sys.stdin:
            figures = run_timed(job, with_output_folder(settings, Path(line.strip())))
            print(json.dumps(figures), flush=True)  # noqa: T201 - the parent process reads it


if __name__ == "__main__":
    _serve(sys.argv[1])
