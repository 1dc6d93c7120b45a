"""A record's value, JSON that anybody may have written, as a dataclass whose types hold."""

from typing import Annotated, TypeVar

from pydantic import AfterValidator, AwareDatetime, TypeAdapter, ValidationError

from contract.instants import in_utc

Instant = Annotated[AwareDatetime, AfterValidator(in_utc)]
"""A time with an offset, in UTC once it is read."""

T = TypeVar("T")


def decode_json(adapter: TypeAdapter[T], value: bytes | None, what: str = "") -> T:
    """Read JSON as the adapter's type; ValueError with the first thing that is wrong.

    It begins with "not" and ``what`` was to be read, if that is given. Nothing is converted: a
    number is no text, and text no number. Unknown fields, as of later versions, are ignored.
    """
    try:
        return adapter.validate_json(value or b"", strict=True)
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
        field = ".".join(map(str, first["loc"]))
        parts = (what and f"not {what}", field, first["msg"])
        raise ValueError(": ".join(filter(None, parts))) from None
