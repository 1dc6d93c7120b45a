"""The archive of Spark's classes, with which its JVM starts in two thirds of the time."""

from pathlib import Path

import pyspark

from contract.class_sharing import class_archive_path, options_to_use_archive
from contract.java import quoted
from contract.settings import Settings


def class_archive_file(settings: Settings) -> Path:
    """Return where the archive for this Java and these jars is, or would be."""
    return class_archive_path(settings.spark_jars, Path(pyspark.__file__).parent / "jars")


def class_sharing_options(settings: Settings) -> list[str]:
    """Return the options, quoted, with which Java uses the archive; none if there is no archive."""
    return [quoted(option) for option in options_to_use_archive(class_archive_file(settings))]
