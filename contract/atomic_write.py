"""Files that a reader sees with their old content or their new one, and never half."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TextIO
from uuid import uuid4


@contextmanager
def open_atomically(file: Path) -> Iterator[TextIO]:
    """Yield a file, UTF-8, beside another one, and put it in its place when it is complete."""
    unfinished = file.with_name(f".{file.name}.{uuid4().hex}.unfinished")  # each writer its own
    try:
        with unfinished.open("w", newline="", encoding="utf-8") as text:
            yield text
        unfinished.replace(file)
    finally:
        unfinished.unlink(missing_ok=True)


def write_atomically(file: Path, text: str) -> None:
    """Write the whole content of a file at once."""
    with open_atomically(file) as new:
        new.write(text)


def unfinished_pattern(name: str) -> str:
    """Return the pattern of what killed writers of a file have left beside it."""
    return f".{name}.*.unfinished"
