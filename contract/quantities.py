"""A number of things as text for people."""


def format_quantity(value: int, noun: str) -> str:
    """Write a number of things: ``1 record``, ``2,000 records``."""
    return f"{value:,} {noun}{'' if value == 1 else 's'}"
