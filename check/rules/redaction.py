"""Credentials: what a URL is cut to, and whether stored text still shows what must be hidden."""

import re

_TOKEN = re.compile(r"access_token", re.IGNORECASE)
# Possessive quantifiers (``++``, ``*+``) never backtrack, so that every text takes linear time.
_BEFORE_VALUE = re.compile(r"""\s*+\\*+["']?+\s*+[:=][\s\[]*+""")
_ESCAPED_QUOTE = re.compile(r"""(?<!\\)\\++["']""")
_UNQUOTED_VALUE = re.compile(r"""[^\s,;&}"'\\]*""")
_PARAMETERS = re.compile(
    r"""(?:\?|(?<!\\)\\++u003f)((?:[^\s\\"']++|\\++(?!["']))*+)""", re.IGNORECASE
)
_USER = re.compile(r"""(?<!\\)\\*+/\\*+/([^/\s"'\\]*)@""")
_REPLACED = re.compile("\N{REPLACEMENT CHARACTER}+")

HIDDEN = "\0"
"""What ``hide_secrets`` puts in place of each secret."""
_LONGEST_MARK = 32
"""How many characters the pipeline may put in place of a secret."""


def cut_url(url: str) -> str:
    """Cut off a URL's query and fragment, and the user and password before its host."""
    url = url.partition("?")[0].partition("#")[0]
    if "@" not in url:
        return url
    before, slashes, after = url.partition("//")
    scheme, rest = (before + slashes, after) if slashes and "/" not in before else ("", url)
    if "@" not in rest.partition("/")[0]:
        scheme, rest = "", url
    authority, slash, path = rest.partition("/")
    return scheme + authority.rpartition("@")[2] + slash + path if "@" in authority else url


def hide_secrets(text: str) -> tuple[str, list[str]]:
    """Return the text with ``HIDDEN`` in place of each secret, and the secrets.

    Secrets are the value after ``access_token``, everything from a question mark (or its escape) to
    the next quote, blank or end, and ``user:password`` before an ``@`` in an address.
    """
    secrets: list[str] = []

    def hide(match: re.Match[str]) -> str:
        secrets.append(match.group(1))
        return match.group()[: match.start(1) - match.start()] + HIDDEN

    text = _hide_tokens(text, secrets)
    text = _PARAMETERS.sub(hide, text)
    visible: list[str] = []
    position = 0
    for match in _USER.finditer(text):
        secrets.append(match.group(1))
        visible += [text[position : match.start(1)], HIDDEN]
        position = match.end()
    return "".join([*visible, text[position:]]), secrets


def shows_secret(text: str) -> bool:
    """Tell whether text has a letter or digit where a secret would be."""
    return any(_has_letter_or_digit(secret) for secret in hide_secrets(text)[1])


def raw_text_difference(original: str, stored: str) -> str | None:
    """Say how stored text differs from the original outside its secrets; None if it does not.

    What is stored in place of a secret does not matter, as long as it is no part of a secret. Runs
    of replacement characters count as one, because decoders differ in how many they write for a
    broken sequence of bytes.
    """
    original = _REPLACED.sub("\N{REPLACEMENT CHARACTER}", original)
    stored = _REPLACED.sub("\N{REPLACEMENT CHARACTER}", stored)
    expected, secrets = hide_secrets(original)
    visible, shown = hide_secrets(stored)
    all_secrets = "\n".join(secrets)
    if any(_has_letter_or_digit(part) and part in all_secrets for part in shown):
        return "shows a credential"
    # A secret may have been cut out without a mark, or have contained the name of another secret.
    if expected == visible or _differs_in_marks_only(expected, stored, all_secrets):
        return None
    position = next(
        (i for i, (a, b) in enumerate(zip(expected, visible, strict=False)) if a != b),
        min(len(expected), len(visible)),
    )
    parts = (text[position : position + 20].replace(HIDDEN, "***") for text in (expected, visible))
    return "differs from character {}: expected {!r}, found {!r}".format(position, *parts)


def _differs_in_marks_only(expected: str, stored: str, secrets: str) -> bool:
    """Tell whether the visible parts are all stored in order, with only short marks between."""
    first, *parts = expected.split(HIDDEN)
    if not parts or not stored.startswith(first):
        return False
    position = len(first)
    for part in parts[:-1]:
        start = stored.find(part, position, position + _LONGEST_MARK + len(part))
        mark = stored[position:start]
        if start < 0 or (_has_letter_or_digit(mark) and mark in secrets):
            return False
        position = start + len(part)
    mark = stored[position : len(stored) - len(parts[-1])]
    return (
        stored.endswith(parts[-1])
        and position + len(mark) + len(parts[-1]) == len(stored)
        and len(mark) <= _LONGEST_MARK
        and not (_has_letter_or_digit(mark) and mark in secrets)
    )


def _has_letter_or_digit(part: str) -> bool:
    return any(character.isalnum() for character in part)


def _hide_tokens(text: str, secrets: list[str]) -> str:
    """Hide the values after ``access_token``, whether quoted, escaped or cut short."""
    parts, position = [], 0
    for name in _TOKEN.finditer(text):
        before = _BEFORE_VALUE.match(text, name.end())
        if name.start() < position or before is None:
            continue
        start, end = _value_range(text, before.end())
        secrets.append(text[start:end])
        parts += [text[position:start], HIDDEN]
        position = end
    return "".join([*parts, text[position:]])


def _value_range(text: str, begin: int) -> tuple[int, int]:
    """Return the start and end of the value that begins at a position, without its quotes."""
    escaped = _ESCAPED_QUOTE.match(text, begin)
    if escaped:
        closing = _ESCAPED_QUOTE.search(text, escaped.end())
        return escaped.end(), closing.start() if closing else len(text)
    if text[begin : begin + 1] in ('"', "'"):
        quote, end = text[begin], begin + 1
        while end < len(text) and text[end] != quote:
            end += 2 if text[end] == "\\" else 1
        return begin + 1, min(end, len(text))
    unquoted = _UNQUOTED_VALUE.match(text, begin)
    return begin, unquoted.end() if unquoted else begin
