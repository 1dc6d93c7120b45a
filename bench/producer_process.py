"""Time one producer in this process.

    python -m bench.producer_process shipped|without_crc32c|pure_faker MESSAGES START

Prints its seconds. Kafka clients are imported only when the variant is known, as one of them must
not find ``crc32c``.
"""

import json
import sys
import time
from datetime import datetime
from pkgutil import resolve_name

from contract.settings import load_settings

ENTRY_POINTS = {
    "shipped": "producer.produce:produce",
    "without_crc32c": "producer.produce:produce",
    "pure_faker": "bench.faker_producer:produce",
}
"""The function of each variant, as ``module:function``."""


def _run(variant: str, messages: int, start: datetime) -> None:
    if variant == "without_crc32c":
        sys.modules["crc32c"] = None  # type: ignore[assignment] # its import fails from now on
    produce = resolve_name(ENTRY_POINTS[variant])
    began = time.perf_counter()
    produce(load_settings(), messages=messages, start=start)
    print(json.dumps(time.perf_counter() - began))  # noqa: T201 - the parent process reads it


if __name__ == "__main__":
    _run(sys.argv[1], int(sys.argv[2]), datetime.fromisoformat(sys.argv[3]))
