"""What a function that works for a while is given to tell people how it goes."""

from collections.abc import Callable

PrintLine = Callable[[str], None]
"""Prints a line for people, or keeps it for a test."""
