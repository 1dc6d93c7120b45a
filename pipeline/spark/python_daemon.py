"""The process that Spark forks its Python workers from, with all that they need imported before.

Spark's own daemon imports nothing, so each worker imports for itself: a third of a second of a core
for each task slot. And Spark puts a zip of PySpark's sources first on the path, which Python
compiles at each start; the installed package is the same, compiled. Set as
``spark.python.daemon.module``.

Spark's daemon imports nothing because a fork copies the locks that other threads hold, and nobody
in the child ever frees them. So nothing that is imported here may start a thread:
``tests/pipeline/spark/test_python_daemon.py`` holds it to that.
"""

import gc
import os
import sys
from importlib import import_module
from pathlib import Path

_NEEDED_BY_EVERY_WORKER = ("pyspark.worker", "pipeline.parsing.parser")
_ZIP_OF_SOURCES = "pyspark.zip"


def import_for_workers() -> None:
    """Import what the workers need, and share it with them: no collection will touch it."""
    sys.path = [path for path in sys.path if Path(path).name != _ZIP_OF_SOURCES]
    # PyArrow brings two allocators. The one that it does not use would start a thread.
    os.environ.setdefault("JE_ARROW_MALLOC_CONF", "background_thread:false")
    for module in _NEEDED_BY_EVERY_WORKER:
        import_module(module)
    gc.collect()
    gc.freeze()


if __name__ == "__main__":
    # On macOS a fork may not use some of the system's libraries that were loaded before it.
    if sys.platform == "linux":
        import_for_workers()
    from pyspark.daemon import manager

    manager()
