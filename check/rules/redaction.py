"""Credentials: what a URL is cut to, and whether stored text still shows what must be hidden."""

import re
from functools import lru_cache
from itertools import islice

from check.rules.addresses import find_address_starts
from check.rules.secrets import Span, find_secrets

_REPLACED = re.compile("\N{REPLACEMENT CHARACTER}+")
_ESCAPED_NUL = re.compile(r"\\+u0000")
_WORD = re.compile(r"[^\W_]{4,}")
_SLASH = re.compile("/")
_END_OF_USER = re.compile(r"""[/?#"\s]""")
_END_OF_ADDRESS = re.compile(r"""["'\s]""")
_NO_SECRETS = ("null", "true", "false")

_MAX_WORDS = 8
_LONGEST_MARK = 32
"""How many characters the pipeline may put in place of a secret."""

_MARK = "***"
"""What the pipeline puts in place of a secret nearly always."""
_HIDDEN = "\ufdd0"
"""What ``_hide_secrets`` puts in place of each secret: a character that no text has."""


def cut_url(url: str) -> str:
    """Cut off a URL's query and fragment, and the user and password before each host in it."""
    url = _without_parameters(url)
    if "@" not in url:
        return url
    before, slashes, after = url.partition("//")
    scheme, rest = (before + slashes, after) if slashes and "/" not in before else ("", url)
    if "@" not in rest.partition("/")[0]:
        scheme, rest = "", url
    authority, slash, path = rest.partition("/")
    host = authority.rpartition("@")[2]
    if not host:  # the path is no host, though it now follows the slashes of the scheme
        return scheme + _without_users(slash + path, _SLASH)
    return _without_users(scheme + host + slash + path, _SLASH)


def clean_text(text: str) -> str:
    """Cut each address in a text field: no user and password, no query, no fragment."""
    text = _without_users(text, _END_OF_USER)
    parts: list[str] = []
    position = 0
    for address in find_address_starts(text):
        start = address.start
        if address.has_colon and start >= position:
            end = _first(_END_OF_ADDRESS, text, start)
            parts += [text[position:start], _without_parameters(text[start:end])]
            position = end
    return "".join([*parts, text[position:]])


def _without_users(text: str, ends: re.Pattern[str]) -> str:
    """Cut the user and password of each address that has a colon before its slashes."""
    parts: list[str] = []
    position = 0
    for address in find_address_starts(text) if "@" in text else ():
        if address.has_colon:
            at = text.rfind("@", address.start, _first(ends, text, address.start))
            if at >= 0:
                parts.append(text[position : address.start])
                position = at + 1
    return "".join([*parts, text[position:]])


def _without_parameters(url: str) -> str:
    return url.partition("?")[0].partition("#")[0]


def _first(ends: re.Pattern[str], text: str, start: int) -> int:
    match = ends.search(text, start)
    return match.start() if match else len(text)


def text_without_secrets(text: str) -> str:
    """Return the text with ``***`` in place of each secret."""
    return _hide_secrets(text)[0].replace(_HIDDEN, _MARK)


def _hide_secrets(text: str) -> tuple[str, list[str]]:
    """Return the text with ``_HIDDEN`` in place of each secret, and the secrets."""
    return _without(text, _not_empty(find_secrets(text)))


def _not_empty(spans: list[Span]) -> list[Span]:
    return [span for span in spans if span.start < span.end]


def has_secret(text: str) -> bool:
    """Tell whether anything in the text must be hidden, even ``null``."""
    return any(_hide_secrets(text)[1])


def shows_secret(text: str) -> bool:
    """Tell whether text has a letter or digit where a secret would be."""
    return any(map(_is_secret, _hide_secrets(text)[1]))


@lru_cache(maxsize=16)  # all rows of a record in quarantine have the same text
def raw_text_difference(original: str, stored: str) -> str | None:
    """Say how stored text differs from the original outside its secrets; None if it does not.

    What is stored in place of a secret does not matter, as long as it is no part of a secret. Runs
    of replacement characters count as one, because decoders differ in how many they write for a
    broken sequence of bytes.
    """
    original = _REPLACED.sub("\N{REPLACEMENT CHARACTER}", original)
    stored = _REPLACED.sub("\N{REPLACEMENT CHARACTER}", stored)
    spans = find_secrets(original)
    if not spans and original == stored:
        return None
    expected, secrets = _without(original, _not_empty(spans))
    if stored == expected.replace(_HIDDEN, _MARK):  # as nearly always
        return None
    found = _not_empty(find_secrets(stored))
    visible, shown = _without(stored, found)
    is_mark = _find_marks(original, spans, stored)
    if is_mark is not None:  # beside a mark, a word that must be visible may look like a secret
        shown = [
            part for start, end, _ in found for part in _runs_of_marks(stored, is_mark, start, end)
        ]
    all_secrets = "\n".join(secrets)
    if any(_shows_part(part, all_secrets) for part in dict.fromkeys(shown)):
        return "shows a credential"
    # A secret may have been cut out without a mark, or have contained the name of another secret.
    if expected == visible or is_mark is not None:
        return None
    position = next(
        (i for i, (a, b) in enumerate(zip(expected, visible, strict=False)) if a != b),
        min(len(expected), len(visible)),
    )
    parts = (text[position : position + 20].replace(_HIDDEN, _MARK) for text in (expected, visible))
    return "differs from character {}: expected {!r}, found {!r}".format(position, *parts)


def _find_marks(original: str, spans: list[Span], stored: str) -> bytearray | None:
    """Return of each character of stored text whether it is of a mark (1) or not (0).

    None if the text has more than what must be visible, in order, with short marks between.
    """
    is_mark = bytearray(len(stored))
    position = 0
    parts = _visible_parts(original, spans)
    for number, (part, longest_mark, secrets) in enumerate(parts, 1):
        if number == len(parts):
            start = len(stored) - len(part)
            is_there = 0 <= start - position <= longest_mark and stored.endswith(part)
        else:
            start = stored.find(part, position, position + longest_mark + len(part))
            is_there = start >= 0
        if not is_there or _shows_part(stored[position:start], secrets):
            return None
        is_mark[position:start] = b"\1" * (start - position)
        position = start + len(part)
    return is_mark


def _runs_of_marks(text: str, is_mark: bytearray, start: int, end: int) -> list[str]:
    """Return what is of marks between two positions, each run by itself."""
    pairs = zip(text[start:end], is_mark[start:end], strict=True)
    return "".join(char if of_mark else _HIDDEN for char, of_mark in pairs).split(_HIDDEN)


def _visible_parts(original: str, spans: list[Span]) -> list[tuple[str, int, str]]:
    """Return what must be visible, each with the longest mark and the secrets before it.

    A quote, bracket or ``@`` beside a secret may be hidden with it.
    """
    parts: list[tuple[str, int, str]] = []
    position = latest = longest_mark = 0
    secrets = ""
    for start, end, may_end in [*spans, Span(len(original), len(original), 0)]:
        part = original[max(position, min(latest, start)) : start]
        longest_mark += start - position - len(part)
        if position:
            part, length = part.lstrip("\0@"), len(part)
            longest_mark += length - len(part)
        is_last = start == len(original) and may_end == 0
        kept = part if is_last else part.rstrip("\0\"'[{\\? #")
        if kept or is_last:
            parts.append((kept, longest_mark, secrets))
            longest_mark, secrets = 0, ""
        longest_mark += len(part) - len(kept) + _LONGEST_MARK
        secrets += original[start:end] + "\n"
        position, latest = end, max(latest, may_end)
    return parts


def _shows_part(mark: str, secrets: str) -> bool:
    """Tell whether a mark is a part of the secrets, or one of its first words is.

    A NUL at the end of a secret, which decoders leave out, may stand behind the mark.
    """
    mark = _ESCAPED_NUL.sub("", mark)
    parts = [mark, *islice((word.group() for word in _WORD.finditer(mark)), _MAX_WORDS)]
    return any(_is_secret(part) and part in secrets for part in parts)


def _without(text: str, spans: list[Span]) -> tuple[str, list[str]]:
    """Return the text with ``_HIDDEN`` in place of the spans, and their texts."""
    visible: list[str] = []
    position = 0
    for start, end, _ in spans:
        visible += [text[position:start], _HIDDEN]
        position = end
    return "".join([*visible, text[position:]]), [text[start:end] for start, end, _ in spans]


def _is_secret(part: str) -> bool:
    return part not in _NO_SECRETS and any(character.isalnum() for character in part)
