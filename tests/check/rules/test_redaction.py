"""Credentials in URLs and raw text: the check's own rules, and that the contract keeps them."""

import json
import re

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from check.rules.redaction import clean_text, cut_url, raw_text_difference, shows_secret
from check.rules.secrets import find_secrets
from contract.decoded_text import decode
from contract.redaction import redact_field, redact_text, redact_url
from contract.secret_finder import find_secrets as contract_secrets

URLS = {
    "": "",
    "https://home.nest.com/cameras/CJI?auth=c.k2": "https://home.nest.com/cameras/CJI",
    "https://home.nest.com/cameras/CJI#auth=c.k2": "https://home.nest.com/cameras/CJI",
    "https://home.nest.com/a?b#c?d": "https://home.nest.com/a",
    "https://home.nest.com/a#b?c": "https://home.nest.com/a",
    "nestmobile://cameras/CJI?auth=c.k2": "nestmobile://cameras/CJI",
    "https://user:password@home.nest.com/a": "https://home.nest.com/a",
    "https://user@home.nest.com": "https://home.nest.com",
    "https://us@er:pass@home.nest.com:443/a": "https://home.nest.com:443/a",
    "//user:password@home.nest.com/a": "//home.nest.com/a",
    "user:password@home.nest.com/a": "home.nest.com/a",
    "https:/user:password@home.nest.com/a": "https:/home.nest.com/a",
    "https:///user:password@home.nest.com/a": "https:///home.nest.com/a",
    "https://a https://user:password@home.nest.com/a": "https://a https://home.nest.com/a",
    "https://a/https:/user:password@home.nest.com/a": "https://a/https:/home.nest.com/a",
    "https:///home.nest.com/a@b": "https:///home.nest.com/a@b",
    "https://user:password@/a@b": "https:///a@b",
    "file:///a@b": "file:///a@b",
    "c:/a@b": "c:/a@b",
    "https://home.nest.com/a@b": "https://home.nest.com/a@b",
    "https://home.nest.com/a//b@c": "https://home.nest.com/a//b@c",
    "https://home.nest.com/?a@b": "https://home.nest.com/",
    "/a@b": "/a@b",
    "a@b//c/d": "b//c/d",
    "?": "",
    "line\nbreak?x\ny": "line\nbreak",
}


@pytest.mark.parametrize(("url", "kept"), URLS.items())
def test_a_url_loses_query_fragment_and_user(url: str, kept: str) -> None:
    assert cut_url(url) == kept


PARTS = [*":/@?#'\" \n\u00a0\x1f.ab", "://", ":/", "a+:", "https:", "file:", "FILE:/", "u:p@"]


@example("https://u:p@/a@b")
@given(st.text(alphabet="ab:/@?#.\n") | st.lists(st.sampled_from(PARTS)).map("".join))
def test_urls_are_cut_as_the_contract_cuts_them(url: str) -> None:
    assert cut_url(url) == redact_url(url)


TEXTS = {
    "see https://u:SECRET@h/x?SECRET now?": "see https://h/x now?",
    "'rtsp://SECRET@h/@2x#SECRET', https://h/": "'rtsp://h/@2x', https://h/",
    "https://h/http://u:SECRET@h2/?a#b://c": "https://h/http://h2/",
    'Door #2, "://@?", Who?': 'Door #2, "://", Who?',
    "see https:/u:SECRET@h/x?SECRET https:///u@h": "see https:/h/x https:///h",
    "https://u:SEC'RET@h/x?SECRET": "https://h/x",
    "C:/a@b, file:/a@b?c (https:/h/a@b)": "C:/a@b, file:/a@b?c (https:/h/a@b)",
}


@pytest.mark.parametrize(("text", "kept"), TEXTS.items())
def test_each_address_in_a_text_loses_what_a_url_loses(text: str, kept: str) -> None:
    assert clean_text(text) == kept


@given(st.text(alphabet="ab:/@?#.\n \"'") | st.lists(st.sampled_from(PARTS)).map("".join))
def test_texts_are_cleaned_as_the_contract_cleans_them(text: str) -> None:
    assert clean_text(text) == redact_field(text)


@pytest.mark.parametrize("unit", ["://a", "://", "://@", "://a@b/", "ab:/a", "ab:/@", "/"])
def test_a_megabyte_of_addresses_is_cleaned_before_the_test_is_ended(unit: str) -> None:
    """Where each ``://`` looks through all of the text after it, this takes hours."""
    text = unit * (2**20 // len(unit))
    assert clean_text(text) == redact_field(text)
    assert clean_text(text + "?a") == redact_field(text + "?a")


SECRET = "c.k2V9RTsupersecret"
RAW = (
    f'{{"metadata":{{"access_token":"{SECRET}","v":1}},"url":"https://a/b?auth={SECRET}","n":"x"}}'
)


@pytest.mark.parametrize("mark", ["", "***", "<hidden>", "[REDACTED]", "…"])
def test_it_does_not_matter_what_stands_in_place_of_a_secret(mark: str) -> None:
    assert raw_text_difference(RAW, RAW.replace(SECRET, mark).replace("auth=", "")) is None


@pytest.mark.parametrize(
    "raw",
    [
        '{"u":"https://home:password=home/',
        "mqtt://nest:token=nest#1",
        '"https://camera:auth=camera/1',
        "http://nest:token=nest?",
    ],
)
def test_a_word_beside_a_mark_is_no_secret_though_a_secret_has_the_same_word(raw: str) -> None:
    assert raw_text_difference(raw, redact_text(raw)) is None


SHOWING = {
    "everything": RAW,
    "the token": RAW.replace(f"auth={SECRET}", "***"),
    "the parameters": RAW.replace(f'"{SECRET}', '"***'),
    "a part of the token": RAW.replace(SECRET, SECRET[:8]).replace(f"auth={SECRET[:8]}", "***"),
    "the name of a parameter": RAW.replace(SECRET, "***").replace("auth=***", "auth"),
}


@pytest.mark.parametrize("found", SHOWING.values(), ids=SHOWING.keys())
def test_raw_text_that_shows_a_secret_is_reported(found: str) -> None:
    assert raw_text_difference(RAW, found) == "shows a credential"


@pytest.mark.parametrize(
    ("original", "stored"),
    [
        ("rtsp://:camera12@camera?auth=abcd1234 end", "rtsp://:camera12@camera?*** end"),
        ("http://:h1p@h1?q=1", "http://:h1p@h1?***"),
    ],
)
def test_a_secret_that_has_a_visible_word_in_it_is_reported(original: str, stored: str) -> None:
    assert raw_text_difference(original, stored) == "shows a credential"
    assert raw_text_difference(original, redact_text(original)) is None


def test_raw_text_that_differs_elsewhere_is_reported() -> None:
    hidden = RAW.replace(f"auth={SECRET}", "***").replace(SECRET, "***")
    assert raw_text_difference(RAW, hidden) is None
    for found in (
        hidden[:-1],
        hidden + " ",
        "",
        hidden.replace('"v":1', '"v":2'),
        hidden.replace("https://a", "https://c"),
        hidden.replace("metadata", "meta"),
    ):
        assert "differs from character" in (raw_text_difference(RAW, found) or "")


HIDDEN_IN_RAW = [
    '{"access_token":"SECRET"}',
    '{"access_token" : "SECRET"}',
    "{'access_token':'SECRET'}",
    '{"ACCESS_TOKEN":"SECRET"}',
    '{"access_token":"SECRET',
    '{"access_token":"SEC\\"RET"}',
    '{"access_token":"SECRET\\u0000"}',
    '{"access_token" "SECRET", "v":1}',
    '{"acc\ufffdss_tok\ufffdn":"c.SECRETSECRETSECRETSEC"}',
    '{\\"access_token\\":\\"SECRET\\"}',
    '{\\\\"access_token\\\\":\\\\"SECRET\\\\"}',
    '{"access_token":["SECRET"]}',
    '{"access_token":SECRET}',
    "access_token=SECRET&x=1",
    "access_token=SECRET",
    "https://a/b?SECRET",
    "https://a/b?x=SECRET y",
    '"https://a/b?x=SECRET"',
    "https://a/b?x=SECRET'",
    '\\"https://a/b?x=SECRET\\"',
    "https://a/b\\u003fx=SECRET",
    "https://a/b\\u003Fx=SECRET",
    "https://SECRET@a/b",
    "https://user:SECRET@a/b",
    "https:/user:SECRET@a/b",
    "https:///user:SECRET@a/b",
    "https://user:SEC'RET@a/b",
    '{"u":"https://SECRET@a/b?SECRET","access_token":"SECRET"} SECRE',
]


@pytest.mark.parametrize("text", HIDDEN_IN_RAW)
def test_a_secret_is_found_however_it_is_written(text: str) -> None:
    assert shows_secret(text)
    assert raw_text_difference(text, text) == "shows a credential"
    assert raw_text_difference(text, redact_text(text)) is None


def test_text_without_a_secret_must_be_stored_as_it_is() -> None:
    for text in ("", "{}", '{"access_token":null}', "access_token", '{"a":"b@c"}', "{\n"):
        assert raw_text_difference(text, redact_text(text)) is None
        assert raw_text_difference(text, text + "x") is not None


FRAGMENTS = st.sampled_from(
    [
        "access_token", '"', "'", "\\", "\\\\", ":", "=", "[", " ", "\n", "?", "#", "\\u003f",
        "//", "@", "/", "{", "}", ",", "&", "***", "abc", "Z9", "https://", "é", "\ufffd",
    ]
)  # fmt: skip


@given(st.lists(FRAGMENTS).map("".join))
@example('?access_token":')
def test_every_text_passes_when_the_contract_has_redacted_it(text: str) -> None:
    assert raw_text_difference(text, redact_text(text)) is None


SPELLINGS = st.sampled_from(
    [
        "access_token", "sig", "auth", "password", "Authorization: ", "authorization", "Token ",
        "Bearer ", "basic ", "Cupbearer ", "\\nBearer ", "s", "_v2", "Key", "\u017f", "\u0131",
        "\u212a", "İ", ":", "=", "=>", ":=", "::", "%3D", "%3a", "\\u003d", "\\U003d", "\\x3d",
        "&sig=", "token=", '"', "'", '\\"', "\\'", '\\\\"', "\\u0022", "\\u0027", "\\x22", "%22",
        "%27", "%2522", 'b"', "u'", "rb'", 'token":"', '\\"token\\":\\"', "\\", "\\\\", "\\u005c",
        "\\u005cu", "u0022", "%5C", "%", "%2", "\\u00", "[", "]", "{", "}", "[]", "%5B%5D", "(",
        ")", "//", "://", "http://u:p@h/", "/", "\\/", "%2F", "?", "%3F", "#", "%23", "@", "%40",
        "ab:/", "file:/", "h@", "'h", " ", "\n", "+", "\\n", "\\t", "\\token", "%20", "%0A",
        "\\u0020", "\\u000a", "&", ";", ",", "\\u0026", "%26", "\0", "%00", "é", ".", "-", "***",
        "null", "word", "x", "7",
    ]
)  # fmt: skip


@settings(max_examples=2000)
@given(st.lists(SPELLINGS, min_size=2, max_size=14).map("".join))
def test_the_check_and_the_contract_find_the_same_secrets(text: str) -> None:
    view = decode(text)
    hidden: set[int] = set()
    for start, end in contract_secrets(view):
        hidden.update(range(view.starts[start], view.ends[end - 1]))
    must, may = set[int](), set[int]()
    for start, end, latest in find_secrets(text):
        must.update(range(start, end))
        may.update(range(start, max(end, latest)))
    # A backslash may belong to the quote after it, a NUL to either of its neighbours.
    either = {i for match in re.finditer(r"\\|\0|%00", text) for i in range(*match.span())}
    assert must - either <= hidden
    assert hidden - either <= may


LINE_BREAKS = [":\n", ":\n  ", "=\t", ":\r\n", "\n:\n"]


@pytest.mark.parametrize("separator", LINE_BREAKS)
@pytest.mark.parametrize("times", range(5))
def test_a_line_break_before_a_secret_may_be_escaped_any_number_of_times(
    separator: str, times: int
) -> None:
    text = f'"api_key"{separator}"{SECRET}", "n": "x", Bearer\n{SECRET}'
    for _ in range(times):
        text = json.dumps(text)[1:-1]
    redacted = redact_text(text)
    assert SECRET not in redacted
    assert raw_text_difference(text, redacted) is None
    assert raw_text_difference(text, text) == "shows a credential"
