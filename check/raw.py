"""The raw text that quarantine keeps of a record, its credentials hidden."""

from check.redaction import difference


class Raw:
    """The text of a record's value, equal to stored text that hides its secrets and no more."""

    __slots__ = ("text",)
    __hash__ = None  # type: ignore[assignment]

    def __init__(self, value: bytes) -> None:
        self.text = value.decode("utf-8", "replace")

    def __eq__(self, other: object) -> bool:
        return isinstance(other, str) and difference(self.text, other) is None

    def __repr__(self) -> str:
        return self.text

    def difference(self, found: object) -> str:
        """Say what is wrong with stored text."""
        if not isinstance(found, str):
            return "no text"
        return difference(self.text, found) or "equal"
