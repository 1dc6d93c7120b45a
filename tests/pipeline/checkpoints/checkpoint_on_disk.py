"""Files of a checkpoint as Spark writes them."""

from pathlib import Path

METADATA = '{"id":"eb848148-dd83-4e5f-9b4c-1b0591b1f2a4"}'
PLANNED = 'v1\n{"batchWatermarkMs":0}\n{"nest-logs":{"0":7}}'
"""A planned batch."""


def write(path: Path, text: str) -> None:
    """Write a file, and the folders around it."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)
