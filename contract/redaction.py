"""Keep credentials out of the lake, of topics downstream, of logs and of screens."""

import re

_AUTHORITY = re.compile(r"^([^/]*//)?[^/]*@")
_QUERY = re.compile(r"[?#].*", re.DOTALL)

HIDDEN = "***"

# The patterns give nothing back once they have taken it (``++``, ``*+``): the text may come from
# anybody, and whatever its shape takes time that grows with its length and no faster.

# The value may be quoted, or quoted with escaped quotes where the text is JSON inside JSON, or
# cut off, or bare.
_TOKEN = re.compile(
    r"""
    (access_token \s*+ \\*+ ["']?+ \s*+ [:=] [\s\[]*+)
    (?: (") (?: [^"\\]++ | \\. )*+
      | (') (?: [^'\\]++ | \\. )*+
      | (\\++["']) (?: [^\\]++ | \\++ (?!["']) )*+
      | [^\s,;&}"'\\]*+
    )""",
    re.IGNORECASE | re.VERBOSE | re.DOTALL,
)
# The question mark may be written as an escape.
_PARAMETERS = re.compile(r"""(\?|(?<!\\)\\++u003f)(?:[^\s\\"']++|\\++(?!["']))*+""", re.IGNORECASE)
_USER = re.compile(r"""((?<!\\)\\*+/\\*+/)[^/\s"'\\]*@""")


def redact_url(url: str) -> str:
    """Cut a URL's query, fragment and ``user:password@``: that is where credentials travel."""
    return _AUTHORITY.sub(r"\1", _QUERY.sub("", url))


def redact_text(text: str) -> str:
    """Hide the credentials in raw text of a message, whether well-formed, cut off or escaped.

    Hidden are the value after ``access_token``, everything from a ``?`` to the next quote, blank
    or end, and ``user:password@`` in addresses.
    """
    text = _TOKEN.sub(rf"\1\2\3\4{HIDDEN}", text)
    text = _PARAMETERS.sub(rf"\1{HIDDEN}", text)
    return _USER.sub(r"\1", text)
