"""A detail that lists cameras or fields, in all the ways in which it may be written."""

from collections.abc import Callable

from check.rules.entries import MAX_LENGTH, Entries, cut_name
from check.rules.matchers import Matcher
from check.rules.redaction import shows_secret
from check.rules.secrets import find_secrets

_MAY_BE_HIDDEN = "\0\"'[{\\? #"
"""What may be hidden together with the secret behind it."""


class Detail(Matcher):
    """The sorted list of cameras or fields that a reason concerns, separated by commas.

    An entry that is there several times may be stored once. ``spellings`` says how an entry may be
    written; the first way is the usual one.
    """

    __slots__ = ("entries", "spellings")

    def __init__(
        self, entries: Entries, spellings: Callable[[str], tuple[str, ...]] = lambda entry: (entry,)
    ) -> None:
        self.entries = entries
        self.spellings = spellings

    def __repr__(self) -> str:
        return repr(", ".join(spellings[0] for spellings in self._listed()))

    def matches(self, stored: object) -> bool:
        """Tell whether a stored value lists the entries and nothing else."""
        if not isinstance(stored, str):
            return False
        listed = self._listed()
        is_complete = self.entries.count == len(self.entries.smallest)
        return _is_written(listed, stored) or (
            is_complete and _is_written(list(dict.fromkeys(listed)), stored)
        )

    def _listed(self) -> list[tuple[str, ...]]:
        """Return how each entry may be written, and how many more there are."""
        listed = [self.spellings(entry) for entry in self.entries.smallest]
        left_out = self.entries.count - len(listed)
        return [*listed, *([(f"and {left_out} more",)] if left_out else [])]


def key_spellings(key: str) -> tuple[str, ...]:
    """Return how a camera's map key may be named: short, and only up to a credential in it.

    It may end anywhere from where the first secret may begin to where it must be hidden.
    """
    secrets = find_secrets(key)
    if not secrets:
        return (cut_name(key),)
    earliest = len(key[: secrets[0].start].rstrip(_MAY_BE_HIDDEN))
    latest = next((start for start, end, _ in secrets if start < end), len(key))
    ends = range(min(latest, MAX_LENGTH + 1), min(earliest, MAX_LENGTH + 1) - 1, -1)
    hidden = [cut_name(key[:end].partition("***")[0] + "***") for end in ends]
    return tuple(dict.fromkeys(hidden if shows_secret(key) else [cut_name(key), *hidden]))


def _is_written(listed: list[tuple[str, ...]], stored: str) -> bool:
    """Tell whether stored text is the entries, each in one of its spellings."""
    ends = {0}
    for number, spellings in enumerate(listed):
        texts = [f", {text}" if number else text for text in spellings]
        ends = {end + len(text) for end in ends for text in texts if stored.startswith(text, end)}
    return len(stored) in ends
