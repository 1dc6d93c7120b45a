"""Keep credentials out of the lake, of topics downstream, of logs and of screens."""

import re

from contract.decoded_text import decode
from contract.secret_finder import find_secrets

_AUTHORITY = re.compile(r"^([^/]*//)?[^/]*@")
_QUERY = re.compile(r"[?#].*", re.DOTALL)

HIDDEN = "***"


def redact_url(url: str) -> str:
    """Cut a URL's query, fragment and ``user:password@``: that is where credentials travel."""
    return _AUTHORITY.sub(r"\1", _QUERY.sub("", url))


def redact_text(text: str) -> str:
    """Hide the credentials in raw text of a message, whether well-formed, cut off or escaped.

    Hidden are values by their names (``access_token``, ``password`` ...), everything from a ``?``
    to the next quote, blank or end, fragments and users of addresses, and what follows ``Bearer``.
    Escapes, percent-encoding and UTF-16 that was read as UTF-8 are seen through; all else stays as
    it is.
    """
    view = decode(text)
    spans = sorted((view.starts[a], view.ends[b - 1]) for a, b in find_secrets(view))
    pieces: list[str] = []
    copied = 0
    for start, end in spans:
        if start > copied or not pieces:
            pieces += [text[copied:start], HIDDEN]
        copied = max(copied, end)
    return "".join(pieces) + text[copied:]
