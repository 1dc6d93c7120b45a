"""Credentials: what a URL must be cut to, and whether raw text shows nothing that it must hide."""

import re

_TOKEN = re.compile(r"access_token", re.IGNORECASE)
# Nothing is given back once taken (``++``, ``*+``), so that no text takes more than linear time.
_BEFORE_VALUE = re.compile(r"""\s*+\\*+["']?+\s*+[:=][\s\[]*+""")
_ESCAPED_QUOTE = re.compile(r"""(?<!\\)\\++["']""")
_BARE = re.compile(r"""[^\s,;&}"'\\]*""")
_PARAMETERS = re.compile(
    r"""(?:\?|(?<!\\)\\++u003f)((?:[^\s\\"']++|\\++(?!["']))*+)""", re.IGNORECASE
)
_USER = re.compile(r"""(?<!\\)\\*+/\\*+/([^/\s"'\\]*)@""")
_REPLACED = re.compile("\N{REPLACEMENT CHARACTER}+")

HIDDEN = "\0"
_LONGEST_MARK = 32


def cut_url(url: str) -> str:
    """Cut a URL's query and fragment and whoever is named before its host."""
    url = url.partition("?")[0].partition("#")[0]
    if "@" not in url:
        return url
    before, slashes, after = url.partition("//")
    scheme, rest = (before + slashes, after) if slashes and "/" not in before else ("", url)
    if "@" not in rest.partition("/")[0]:
        scheme, rest = "", url
    authority, slash, path = rest.partition("/")
    return scheme + authority.rpartition("@")[2] + slash + path if "@" in authority else url


def hide(text: str) -> tuple[str, list[str]]:
    """Return raw text with a mark in place of each secret, and the secrets.

    Secret are the value after ``access_token``, everything from a question mark (or its escape) to
    the next quote, blank or end, and ``user:password`` before an ``@`` in an address.
    """
    secrets: list[str] = []

    def conceal(match: re.Match[str]) -> str:
        secrets.append(match.group(1))
        return match.group()[: match.start(1) - match.start()] + HIDDEN

    text = _hide_tokens(text, secrets)
    text = _PARAMETERS.sub(conceal, text)
    visible: list[str] = []
    at = 0
    for match in _USER.finditer(text):
        secrets.append(match.group(1))
        visible += [text[at : match.start(1)], HIDDEN]
        at = match.end()
    return "".join([*visible, text[at:]]), secrets


def exposes(text: str) -> bool:
    """Tell whether text shows, where a secret would stand, anything with a letter or digit."""
    return any(_telling(secret) for secret in hide(text)[1])


def difference(original: str, found: str) -> str | None:
    """Say how stored raw text differs from the record's, hidden parts apart; None if it does not.

    It does not matter what stands in place of a secret, so long as it is no part of one. Runs of
    replacement characters count as one, since decoders differ in how many a broken sequence gets.
    """
    original = _REPLACED.sub("\N{REPLACEMENT CHARACTER}", original)
    found = _REPLACED.sub("\N{REPLACEMENT CHARACTER}", found)
    expected, secrets = hide(original)
    visible, shown = hide(found)
    everything = "\n".join(secrets)
    if any(_telling(part) and part in everything for part in shown):
        return "shows a credential"
    # What was hidden may have been cut without a mark, or have held the name of another secret.
    if expected == visible or _fits(expected, found, everything):
        return None
    at = next(
        (i for i, (a, b) in enumerate(zip(expected, visible, strict=False)) if a != b),
        min(len(expected), len(visible)),
    )
    texts = (part[at : at + 20].replace(HIDDEN, "***") for part in (expected, visible))
    return "differs from character {}: expected {!r}, found {!r}".format(at, *texts)


def _fits(expected: str, found: str, secrets: str) -> bool:
    """Tell whether text is the visible parts in order, with little between that says nothing."""
    first, *parts = expected.split(HIDDEN)
    if not parts or not found.startswith(first):
        return False
    at = len(first)
    for part in parts[:-1]:
        start = found.find(part, at, at + _LONGEST_MARK + len(part))
        if start < 0 or (_telling(found[at:start]) and found[at:start] in secrets):
            return False
        at = start + len(part)
    mark = found[at : len(found) - len(parts[-1])]
    return (
        found.endswith(parts[-1])
        and at + len(mark) + len(parts[-1]) == len(found)
        and len(mark) <= _LONGEST_MARK
        and not (_telling(mark) and mark in secrets)
    )


def _telling(part: str) -> bool:
    return any(character.isalnum() for character in part)


def _hide_tokens(text: str, secrets: list[str]) -> str:
    """Replace the values after ``access_token``, however they are quoted, escaped or cut off."""
    parts, at = [], 0
    for name in _TOKEN.finditer(text):
        before = _BEFORE_VALUE.match(text, name.end())
        if name.start() < at or before is None:
            continue
        start, end = _value(text, before.end())
        secrets.append(text[start:end])
        parts += [text[at:start], HIDDEN]
        at = end
    return "".join([*parts, text[at:]])


def _value(text: str, at: int) -> tuple[int, int]:
    """Return where the value that begins at a position starts and ends, its quotes left out."""
    escaped = _ESCAPED_QUOTE.match(text, at)
    if escaped:
        closing = _ESCAPED_QUOTE.search(text, escaped.end())
        return escaped.end(), closing.start() if closing else len(text)
    if text[at : at + 1] in ('"', "'"):
        quote, end = text[at], at + 1
        while end < len(text) and text[end] != quote:
            end += 2 if text[end] == "\\" else 1
        return at + 1, min(end, len(text))
    bare = _BARE.match(text, at)
    return at, bare.end() if bare else at
