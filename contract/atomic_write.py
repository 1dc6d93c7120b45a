"""Small files that a reader sees with their old content or their new one, and never half."""

from pathlib import Path
from uuid import uuid4


def write_atomically(file: Path, text: str) -> None:
    """Write a file, UTF-8, beside its place, and put it there when it is complete."""
    unfinished = file.with_name(f".{file.name}.{uuid4().hex}.unfinished")  # each writer its own
    try:
        unfinished.write_text(text, encoding="utf-8")
        unfinished.replace(file)
    except OSError:
        unfinished.unlink(missing_ok=True)
        raise


def unfinished_pattern(name: str) -> str:
    """Return the pattern of what killed writers of a file have left beside it."""
    return f".{name}.*.unfinished"
