"""Time one producer in this process.

    python -m bench.one_producer shipped|without_crc32c|pure_faker MESSAGES START

Its seconds are printed. Nothing that uses Kafka is imported before it is known which it is.
"""

import json
import sys
import time
from datetime import datetime
from importlib import import_module

from contract.settings import load_settings

CODE = {
    "shipped": "producer.produce",
    "without_crc32c": "producer.produce",
    "pure_faker": "bench.faked",
}
"""Where the ``produce`` of each is."""


def _run(variant: str, messages: int, start: datetime) -> None:
    if variant == "without_crc32c":
        sys.modules["crc32c"] = None  # type: ignore[assignment] # it cannot be imported from now on
    produce = import_module(CODE[variant]).produce
    began = time.perf_counter()
    produce(load_settings(), messages=messages, start=start)
    print(json.dumps(time.perf_counter() - began))  # noqa: T201 - the runner reads it


if __name__ == "__main__":
    _run(sys.argv[1], int(sys.argv[2]), datetime.fromisoformat(sys.argv[3]))
