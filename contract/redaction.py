"""Keep credentials out of the lake, of topics downstream, of logs and of screens."""

import json
import re

from contract.decoded_text import decode
from contract.secret_finder import ADDRESS_SLASHES, find_secrets

_URL_USER = re.compile(rf"(^[^/]*//|^|{ADDRESS_SLASHES})[^/]*@")
_ADDRESS_USER = re.compile(rf"""({ADDRESS_SLASHES})[^/\s"?#]*@""")
_ADDRESS_IN_TEXT = re.compile(rf"""{ADDRESS_SLASHES}[^\s"']*""")

HIDDEN = "***"


def redact_url(url: str) -> str:
    """Cut a URL's query, fragment and ``user:password@``: that is where credentials travel.

    A further address in it, be it in the path or after a blank, loses its user, too.
    """
    url = _without_query(url)
    return _URL_USER.sub(r"\1", url) if "@" in url else url


def redact_field(text: str) -> str:
    """Remove the credentials from a text field of the archive that is no URL by its name.

    An address in it (with ``://``, or any number of slashes after a scheme) loses what a URL loses.
    A JSON object, or a list with one, that is kept as text is redacted as raw text is. Any other
    text stays as it is, even ``Who?``.
    """
    if "{" in text and _is_json_structure(text):
        return redact_text(text)
    if "@" in text:
        text = _ADDRESS_USER.sub(r"\1", text)
    return _ADDRESS_IN_TEXT.sub(lambda address: _without_query(address[0]), text)


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


def _without_query(url: str) -> str:
    return url.partition("?")[0].partition("#")[0]


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
