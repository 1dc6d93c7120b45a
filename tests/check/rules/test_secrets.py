"""Secrets are found in every spelling of their name, their quotes, their value and their bytes."""

import time
from collections.abc import Callable
from itertools import product

import pytest

from check.rules.redaction import raw_text_difference, shows_secret
from check.rules.secrets import find_secrets

NAMES = [
    *("token", "access_token", "refresh-token", "client_SECRET", "password", "passwd"),
    *("Authorization", "auth", "oauth", "api_key", "api-key", "apikey", "credential"),
    *("credentials", "signature", "sig", "X-Amz-Signature", "access\\u005ftoken"),
]
QUOTES = ['"', '\\"', '\\\\\\"', "\\u0022", "\\\\u0022", "%22", "%2522", "'"]
SEPARATORS = [":", " : ", ":\n  "]
NAMES_AND_SEPARATORS = [*product(NAMES, ":"), *product(["token"], SEPARATORS)]
VALUES: dict[str, Callable[[str], str]] = {
    "text": lambda quote: f"{quote}S3CR3T{quote}",
    "text of two words": lambda quote: f"{quote}S3CR3T, S3CR3T{quote}",
    "number": lambda quote: "73737373",
    "list": lambda quote: f"[{quote}S3CR3T{quote}, {quote}S3CR3T{quote}]",
    "object": lambda quote: f"{{{quote}a{quote}:[{quote}S3CR3T]}}{quote}]}}",
}
ENCODINGS: dict[str, Callable[[str], bytes]] = {
    "UTF-8": lambda text: text.encode(),
    "UTF-16 LE": lambda text: text.encode("utf-16-le"),
    "UTF-16 BE": lambda text: text.encode("utf-16-be"),
    "UTF-16 LE with BOM": lambda text: b"\xff\xfe" + text.encode("utf-16-le"),
    "UTF-16 BE with BOM": lambda text: b"\xfe\xff" + text.encode("utf-16-be"),
}


def read(value: bytes) -> str:
    return value.decode("utf-8", "replace")


def visible(text: str) -> str:
    """The text with each secret hidden, without the NUL characters of UTF-16."""
    parts, position = [], 0
    for start, end, _ in find_secrets(text):
        parts += [text[position:start], "***"] if start < end else []
        position = end if start < end else position
    return "".join([*parts, text[position:]]).replace("\0", "")


@pytest.mark.parametrize("encoding", ENCODINGS)
@pytest.mark.parametrize("quote", QUOTES)
def test_the_value_of_a_telling_name_is_hidden(encoding: str, quote: str) -> None:
    for (name, separator), (kind, value) in product(NAMES_AND_SEPARATORS, VALUES.items()):
        before = f"{{{quote}a{quote}:1,{quote}{name}{quote}{separator}"
        after = f",{quote}b{quote}:{quote}kept{quote}}}"
        text = read(ENCODINGS[encoding](before + value(quote) + after))
        shown = visible(text)
        case = (name, separator, kind, shown)
        assert "S3CR3T" not in shown, case
        assert "7373" not in shown, case
        assert shown.endswith(after), case
        assert before in shown, case
        assert raw_text_difference(text, text) == "shows a credential", case
        assert raw_text_difference(text, shown) is None or "\0" in text, case


@pytest.mark.parametrize("encoding", ENCODINGS)
@pytest.mark.parametrize("quote", QUOTES)
def test_a_value_that_is_cut_off_is_hidden_to_the_end(encoding: str, quote: str) -> None:
    for name, (kind, value) in product(NAMES, VALUES.items()):
        written = value(quote)
        at = written.rfind("S3CR3T") + 4 if "S3" in written else len(written) - 1
        before = f"{{{quote}{name}{quote}:"
        text = read(ENCODINGS[encoding](before + written[:at]))
        shown = visible(text)
        assert "S3C" not in shown, (name, kind, shown)
        assert "737" not in shown, (name, kind, shown)
        assert before in shown, (name, kind, shown)


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("separator", ["=", ": ", "%3D", "\\u003d", " = "])
@pytest.mark.parametrize("after", [" x", ",x", ";x", "&x", "}x", '"x', "'x", ""])
def test_the_value_of_a_telling_name_in_text_is_hidden(
    name: str, separator: str, after: str
) -> None:
    text = f"login {name}{separator}S3CR3T{after}"
    is_header = name == "Authorization" and separator == ": "
    shown = after.replace("x", "***") if is_header and after == " x" else after
    assert visible(text) == f"login {name}{separator}***{shown}"


BY_SHAPE = {
    "https://a/b?auth=S3CR3T": "https://a/b?***",
    "https://a/b#auth=S3CR3T": "https://a/b#***",
    "//a/b#S3CR3T": "//a/b#***",
    "https:\\/\\/a\\/b\\u0023S3CR3T": "https:\\/\\/a\\/b\\u0023***",
    "https%3A%2F%2Fa%3FS3CR3T%20x": "https%3A%2F%2Fa%3F***%20x",
    "https://a/b?x=S3CR3T%20S3CR3T y": "https://a/b?*** y",
    "https://us:S3CR3T@a/b": "https://***@a/b",
    "https%3a%2f%2fus%3aS3CR3T%40a": "https%3a%2f%2f***%40a",
    "https:/us:S3CR3T@a/b": "https:/***@a/b",
    "https:///us:S3CR3T@a/b": "https:///***@a/b",
    "https%3a%2fus%3aS3CR3T%40a": "https%3a%2f***%40a",
    "https:/us:S3CR3T": "https:/***",
    "https:/a/b#S3CR3T": "https:/a/b#***",
    '{"a":"https://us:S3C\'R3T@a/b"}': '{"a":"https://***@a/b"}',
    "{'a':'https://S3CR3T@h','b':'x@y'}": "{'a':'https://***@h','b':'x@y'}",
    "Bearer S3CR3T, x": "Bearer ***, x",
    "Basic%20S3CR3T x": "Basic%20*** x",
    'Bearer+S3CR3T"x': 'Bearer+***"x',
    "a ?S3CR3T": "a ?***",
    "a ?S3CR3T\\u0020S3CR3T x": "a ?*** x",
    "%3Fa?S3CR3T%20S3CR3T x": "%3F*** x",
    "//a%23S3CR3T%20S3CR3T x": "//a%23*** x",
    "https://us:S3CR%2F3T@a": "https://***@a",
    '{"a":"https://us:S3CR3T': '{"a":"https://***',
    "https%3a%2f%2fus%3aS3CR3T": "https%3a%2f%2f***",
    "https://us:443:S3CR3T": "https://***",
    "https://[us:S3CR3T": "https://***",
    "\\nBearer S3CR3T": "\\nBearer ***",
    "Authorization: Token S3CR3T x": "Authorization: *** *** x",
    "Authorization: access_token: S3CR3T x": "Authorization: *** *** x",
    "a\\token=S3CR3T": "a\\token=***",
    "%22token%22%3A+%22S3CR3T%22": "%22token%22%3A+%22***%22",
    "token+%3D+S3CR3T%26x": "token+%3D***%26x",
    "'token': b'S3CR3T'": "'token': b'***'",
    "token => 'S3CR3T'": "token => '***'",
    "token := 'S3CR3T'": "token := '***'",
    "token::'S3CR3T'": "token::'***'",
    "a[token]=S3CR3T": "a[token]=***",
    "token[]=S3CR3T": "token[]=***",
    "a['token'] = 'S3CR3T'": "a['token'] = '***'",
    "\\x22token\\x22:\\x22S3CR3T\\x22": "\\x22token\\x22:\\x22***\\x22",
    "'tokens':['S3CR3T']": "'tokens':***",
    "'token_v2':'S3CR3T'": "'token_v2':'***'",
    f"tok\\{'u005c' * 1000}u0065n=S3CR3T": f"tok\\{'u005c' * 1000}u0065n=***",
}


@pytest.mark.parametrize(("text", "hidden"), BY_SHAPE.items())
def test_what_looks_like_a_secret_is_hidden(text: str, hidden: str) -> None:
    assert visible(text) == hidden
    assert shows_secret(text)
    assert raw_text_difference(text, hidden) is None
    assert raw_text_difference(text, text) == "shows a credential"
    assert raw_text_difference(text, "x" + hidden) is not None


@pytest.mark.parametrize(
    "text",
    [
        *("", "{}", "a#b", '{"name":"#1"}', "me@home", '{"tokenized":"x"}', '{"author":"x"}'),
        *(
            "https://a:80",
            "(https://a:8080).",
            "https://a",
            "https://[::1]:80.",
            "//[::",
            "https://a:",
        ),
        *(
            "file:/x@y",
            "file:///x@y",
            "c:/x@y",
            "a:80/x@y",
            "https:/a/x@y",
            "{'a':'//h','b':'x@y'}",
        ),
        *("https://a/b", "100%", "%zz", "a\\", "\\u12", "\0", '{"authority":1}', "bearers x"),
        *(
            "Cupbearer Room x",
            "Aerobasic x",
            "\u017fecret=x",
            "s\u0131g=x",
            "Bas\u0131c x",
            "token\\U003dx",
        ),
        *('{"design":"x"}', '{"a":"C:\\\\dir\\\\new"}', "Basically x", "token", "a@b//c"),
    ],
)
def test_text_without_a_secret_must_stay_as_it_is(text: str) -> None:
    assert find_secrets(text) == []
    assert raw_text_difference(text, text) is None
    assert raw_text_difference(text, text + "x") is not None


@pytest.mark.parametrize("secret", ["S3CR3T-9f", "x" * 200])
def test_a_part_of_a_secret_may_not_be_left(secret: str) -> None:
    text = f'{{"a":1,"token":"{secret}","b":2}}'
    assert raw_text_difference(text, text.replace(secret, "***")) is None
    assert raw_text_difference(text, text.replace(secret, secret[:5] + "***")) is not None


HOSTILE = [
    *("\\", "%25", "%", '\\"', "\\u005c", "?", "?\\u0022", "//", "//@", "//#", "token", "token=["),
    *(
        'token="',
        'token=\\"',
        "token:{",
        "token   ",
        "bearer ",
        "https://a",
        "\0",
        "[{",
        '"token":',
    ),
    *("token[", "token]", "token:+", "token:b", "Authorization: a ", "//%2F%2F%20", "?%3F"),
    *("//a#%22", "token=x,", "sig=1&", '"sig":"a",', "token=%22", "auth='", '{"sig":{"a":1}},'),
]


def duration(text: str) -> float:
    start = time.process_time()
    raw_text_difference(text, text.replace("a", "b"))
    return time.process_time() - start


@pytest.mark.parametrize("fragment", HOSTILE)
def test_time_grows_with_the_length_of_the_text_and_no_faster(fragment: str) -> None:
    short, long = (fragment * (size // len(fragment)) for size in (100_000, 400_000))
    assert duration(long) < 12 * duration(short) + 0.2
