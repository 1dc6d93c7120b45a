"""Which slide the presenter's mode shows at a moment."""

from datetime import timedelta

DEFAULT_SECONDS = 20
_MOST_SECONDS = 3600


def seconds_per_slide(text: str) -> int:
    """Return the seconds that an address asks for; the default if that is no number from 3."""
    is_number = text.isascii() and text.isdigit() and len(text) <= 4
    return int(text) if is_number and 3 <= int(text) <= _MOST_SECONDS else DEFAULT_SECONDS


def slide_number(elapsed: timedelta, seconds: int, slides: int) -> int:
    """Return the slide, from 0, after some time; they come in turn, again and again."""
    return int(max(0.0, elapsed.total_seconds()) // seconds) % slides


def chosen_slide(text: str, slides: int) -> int | None:
    """Return the slide, from 0, that an address asks to stay on: its number, from 1; else None."""
    numbers = {str(number + 1): number for number in range(slides)}
    return numbers.get(text)
