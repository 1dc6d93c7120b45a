"""Keep credentials out of the lake, of topics downstream, of logs and of screens."""

import json
import re

from contract.decoded_text import decode
from contract.secret_finder import find_secrets

_AUTHORITY = re.compile(r"^([^/]*//)?[^/]*@")
_QUERY = re.compile(r"[?#].*", re.DOTALL)
_ADDRESS_IN_TEXT = re.compile(r"""://[^\s"']*""")
_ADDRESS_USER = re.compile(r"://[^/]*@")

HIDDEN = "***"


def redact_url(url: str) -> str:
    """Cut a URL's query, fragment and ``user:password@``: that is where credentials travel."""
    return _AUTHORITY.sub(r"\1", _QUERY.sub("", url))


def redact_field(text: str) -> str:
    """Remove the credentials from a text field of the archive that is no URL by its name.

    An address in it (with ``://``) loses what a URL loses. A JSON object, or a list with one, that
    is kept as text is redacted as raw text is. Any other text stays as it is, even ``Who?``.
    """
    if "{" in text and _is_json_structure(text):
        return redact_text(text)
    return _ADDRESS_IN_TEXT.sub(_redact_address, text)


def redact_url_field(text: str) -> str:
    """Remove the credentials from a text field that is a URL by its name.

    A JSON object, or a list with one, that is kept there is redacted as raw text is.
    """
    if "{" in text and _is_json_structure(text):
        return redact_text(text)
    return redact_url(text)


def _is_json_structure(text: str) -> bool:
    if text.lstrip()[:1] not in ("{", "["):
        return False
    try:
        json.loads(text, parse_int=str, parse_float=str)
    except RecursionError:
        return True
    except ValueError:
        return False
    return True


def _redact_address(address: re.Match[str]) -> str:
    return _ADDRESS_USER.sub("://", _QUERY.sub("", address[0]))


def redact_text(text: str) -> str:
    """Hide the credentials in raw text of a message, whether well-formed, cut off or escaped.

    Hidden are values by their names (``access_token``, ``password`` ...), everything from a ``?``
    to the next quote, blank or end, fragments and users of addresses, and what follows ``Bearer``
    or the scheme of ``Authorization:``. Escapes, percent-encoding and UTF-16 that was read as UTF-8
    are seen through; all else stays as it is.
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
