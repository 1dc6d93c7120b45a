"""What a driver with a local master needs, and spark-submit or a cluster brings along elsewhere."""

import os
import sys
from pathlib import Path

from contract.errors import UserError
from contract.java import QUICK_COMPILER_OPTIONS
from contract.settings import Settings
from pipeline.spark.class_sharing import class_sharing_options

_LOGGING = Path(__file__).parent / "log4j2.properties"

MALLOC_ARENA_MAX = "2"
"""By default glibc keeps what is freed in up to eight arenas for each core. RocksDB frees in many
threads: 500 messages a second took 0.5 GB more in half an hour."""

_JAVA_OPTIONS = (
    f"-Dlog4j2.configurationFile={_LOGGING.as_uri()}",
    # On few cores and with a small heap this collector costs the least processor time.
    "-XX:+UseParallelGC",
    # Room for Spark's classes from the start: by default Java collects all garbage each time that
    # they have outgrown some limit, which takes a second of the first report.
    "-XX:MetaspaceSize=192m",
    # What a JVM does after it ran out of memory is anybody's guess: it ends at once instead.
    "-XX:+ExitOnOutOfMemoryError",
)

_LOCAL_CONF = {
    # On a cluster it could not be found: what --py-files brings is on the path of the workers only.
    "spark.python.daemon.module": "pipeline.spark.python_daemon",
    "spark.driver.host": "127.0.0.1",
    "spark.driver.bindAddress": "127.0.0.1",
    # Hadoop's own local file system starts a process, chmod, for each file that it creates: 200 ms
    # of a live batch. This one calls Java instead; checkpoints need the second setting to use it.
    "spark.hadoop.fs.file.impl": "com.globalmentor.apache.hadoop.fs.BareLocalFileSystem",
    "spark.sql.streaming.checkpointFileManagerClass": (
        "org.apache.spark.sql.execution.streaming.checkpointing."
        "FileSystemBasedCheckpointFileManager"
    ),
}


def local_master_conf(settings: Settings, *, has_quick_compiler: bool) -> dict[str, str]:
    """Return Spark's options for a local master; the environment of its processes is set, too.

    With ``has_quick_compiler`` Java has its quick compiler only.
    """
    os.environ.setdefault("SPARK_LOCAL_IP", settings.bind_address)  # where the UI listens
    os.environ.setdefault("PYSPARK_PYTHON", sys.executable)  # the workers' Python
    os.environ.setdefault("MALLOC_ARENA_MAX", MALLOC_ARENA_MAX)
    java_options = [*_JAVA_OPTIONS, *class_sharing_options(settings)]
    if has_quick_compiler:
        # Each micro-batch is planned anew, and for ten minutes the thorough compiler would take
        # a third of a core to make that code faster, while the counts wait for a core. Over a
        # short topic it takes two fifths of the processor time, and is not done by the end.
        java_options += QUICK_COMPILER_OPTIONS
    jars = (f"{folder.resolve()}/*" for folder in _jar_folders(settings))
    return _LOCAL_CONF | {
        "spark.driver.extraJavaOptions": " ".join(java_options),
        "spark.driver.extraClassPath": os.pathsep.join(jars),
        # Spark creates this folder though nothing is kept in it; by default in the current folder.
        "spark.sql.warehouse.dir": str((settings.state / "spark-warehouse").resolve()),
    }


def require_jars(settings: Settings) -> None:
    """Raise UserError unless the jars are there."""
    for folder in _jar_folders(settings):
        if not any(folder.glob("*.jar")):
            option = " --s3a" if folder == settings.s3a_jars else ""
            raise UserError(f"Spark's jars are not in {folder}. `nest jars{option}` fetches them.")


def _jar_folders(settings: Settings) -> list[Path]:
    return [settings.spark_jars, *([settings.s3a_jars] if settings.object_store else [])]
