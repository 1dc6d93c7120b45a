"""No credential is left in what is kept, and no text takes longer than its length."""

import itertools
import json
import time
from collections.abc import Callable
from urllib.parse import quote

import pytest

from contract.redaction import redact_field, redact_text, redact_url, redact_url_field


@pytest.mark.parametrize(
    ("url", "kept"),
    [
        ("https://h/p?auth=c.SECRET", "https://h/p"),
        ("https://h/p#SECRET", "https://h/p"),
        ("https://user:SECRET@h/p?a#b", "https://h/p"),
        ("user:SECRET@h/p", "h/p"),
        ("https:/user:SECRET@h/p", "https:/h/p"),
        ("https:///user:SECRET@h/p", "https:///h/p"),
        ("rtsp:////SECRET@h@h/p", "rtsp:////h/p"),
        ("https://a https://u:SECRET@h/", "https://a https://h/"),
        ("https://a/https:/u:SEC'RET@h/p", "https://a/https:/h/p"),
        *(
            (url, url)
            for url in (
                "",
                "https://h/p@2x.png",
                "https://h/a@b",
                "https:/h/a@b",
                "https:///h/a@b",
                "/a@b",
                "h:8080/a@b",
                "C:/a@b",
                "file:/a@b",
                "file:///a@b",
                "jar:FILE:/a@b",
                "https://h/a//b@c",
            )
        ),
    ],
)
def test_a_url_loses_query_fragment_and_user(url: str, kept: str) -> None:
    assert redact_url_field(url) == redact_url(url) == kept
    assert redact_url(kept) == kept


NAMES = [
    "access_token",
    "access-token",
    r"access\u005ftoken",
    "refresh_token",
    "Token",
    "clientSecret",
    "PASSWORD",
    "db_passwd",
    "Authorization",
    "auth",
    "api_key",
    "X-Api-Key",
    "apiKey",
    "credential",
    "aws_credentials",
    "Signature",
    "sig",
    "tokens",
    "clientSecrets",
    "API_KEYS",
]
SEPARATORS = [":", " : ", "=\n"]
# `*` stands for what is hidden; before it and after it are parts of the value that may stay.
VALUES = {
    "string": ('"c.SECRET"', '"*"'),
    "string with quotes": (r'"a\"SECRET\\"', '"*"'),
    "string with encoded quotes": ('"a%22SECRET%26SECRET"', '"*"'),
    "number": ("31415926", "*"),
    "list": ('["SECRET", ["SECRET]"]]', "*"),
    "object": (r'{"a": {"b": "SECRET}\""}}', "*"),
}
CUT_OFF_VALUES = {
    "string": ('"c.SECRET', '"*'),
    "number": ("31415926", "*"),
    "list": ('["a", "SECRET', "*"),
    "object": ('{"a": ["SECRET"]', "*"),
}


def in_json(text: str) -> str:
    return json.dumps(text)[1:-1]


QUOTINGS: dict[str, Callable[[str], str]] = {
    "plain": lambda text: text,
    "escaped once": in_json,
    "escaped twice": lambda text: in_json(in_json(text)),
    "u0022": lambda text: text.replace("\\", "\\\\").replace('"', r"\u0022"),
    "percent": lambda text: quote(text, safe="*"),
    "percent twice": lambda text: quote(quote(text, safe="*"), safe="*"),
    "escaped and percent": lambda text: quote(in_json(text), safe="*"),
}
ENCODINGS = {
    "UTF-8": ("utf-8", b""),
    "UTF-8 with BOM": ("utf-8", b"\xef\xbb\xbf"),
    "UTF-16 LE": ("utf-16-le", b""),
    "UTF-16 BE": ("utf-16-be", b""),
    "UTF-16 LE with BOM": ("utf-16-le", b"\xff\xfe"),
    "UTF-16 BE with BOM": ("utf-16-be", b"\xfe\xff"),
}


@pytest.mark.parametrize("encoding", ENCODINGS)
@pytest.mark.parametrize("quoting", QUOTINGS)
def test_a_secret_member_is_hidden_in_any_spelling_and_nothing_else(
    quoting: str, encoding: str
) -> None:
    codec, mark = ENCODINGS[encoding]

    def spelled(text: str) -> str:
        return (mark + QUOTINGS[quoting](text).encode(codec)).decode(errors="replace")

    endings = [
        *itertools.product(VALUES.values(), [', "name": "Door", "is_online": true}}']),
        *itertools.product(CUT_OFF_VALUES.values(), [""]),
    ]
    for name, separator, ((value, hidden), after) in itertools.product(
        NAMES[:5], SEPARATORS, endings
    ):
        member = f'{{"devices": {{"where": "Hall", "{name}"{separator}'
        text = spelled(member + value + after)
        expected = spelled(member + hidden + after).replace("*", "***")
        assert redact_text(text) == expected, text
        assert redact_text(expected) == expected


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize(
    ("text", "redacted"),
    [
        ("NAME=SECRET", "NAME=***"),
        ("NAME: SECRET, and more", "NAME: ***, and more"),
        ("'NAME': 'SEC RET', b", "'NAME': '***', b"),
        ("a=1&NAME=SECRET&b=2", "a=1&NAME=***&b=2"),
        ("a%3D1%26NAME%3DSECRET%26b%3D2", "a%3D1%26NAME%3D***%26b%3D2"),
        ("a=1;NAME=SEC%26RET;b=2", "a=1;NAME=***;b=2"),
        ("{NAME:SECRET}", "{NAME:***}"),
        ("{NAME:['SECRET', 'SECRET']} b", "{NAME:***} b"),
        ('{"name":"NAME=SECRET","b":1}', '{"name":"NAME=***","b":1}'),
        ('{"name":"NAME=[SECRET","b":[1]', '{"name":"NAME=***'),
        (r'{\\"NAME\\":\\"SECRET\\"}', r'{\\"NAME\\":\\"***\\"}'),
        (r'"{\"NAME\":[\"SECRET"', r'"{\"NAME\":***"'),
        ("{'NAME': b'SECRET', u'NAME': u'SECRET'}", "{'NAME': b'***', u'NAME': u'***'}"),
        ('"NAME" => "SECRET", NAME := "SECRET"', '"NAME" => "***", NAME := "***"'),
        ('"NAME"::"SECRET", NAME == "SECRET"', '"NAME"::"***", NAME == "***"'),
        ("a[NAME]=SECRET&NAME[]=SECRET&NAME[0]=SECRET", "a[NAME]=***&NAME[]=***&NAME[0]=***"),
        ('headers["NAME"] = "SECRET"', 'headers["NAME"] = "***"'),
        ("a%5BNAME%5D=SECRET&b", "a%5BNAME%5D=***&b"),
        ("%7B%22NAME%22%3A+%22SECRET+SECRET%22%7D", "%7B%22NAME%22%3A+%22***%22%7D"),
        ("%7B%22NAME%22%3A+%5B%22SECRET%22%5D%7D", "%7B%22NAME%22%3A+***%7D"),
        ("NAME+%3D+SECRET%26b", "NAME+%3D***%26b"),
        ("NAME=+SECRET/+=&b", "NAME=***&b"),
        (r"{\x22NAME\x22:\x22SECRET\x22,", r"{\x22NAME\x22:\x22***\x22,"),
        ('{"NAME2":["SECRET"],"NAME_v2":"SECRET"}', '{"NAME2":***,"NAME_v2":"***"}'),
        (r'{"a":"NAME=SECRET\u0020SECRET\u0026SECRET b"}', '{"a":"NAME=*** b"}'),
        (r"a\NAME=SECRET", r"a\NAME=***"),
        ('{"NAME" "SECRET", "b": 1}', '{"NAME" "***", "b": 1}'),
        ('{"NAME"\ufffd "SECRET", "b": 1}', '{"NAME"\ufffd "***", "b": 1}'),
        ('{"NAME":z"SECRET\\"", "b": 1}', '{"NAME":***"***", "b": 1}'),
        ('{"NAME": \ufffdSECRET", "b": 1}', '{"NAME": ***", "b": 1}'),
        (r'"{\"NAME\"z\"SECRET\", \"b\"', r'"{\"NAME\"z\"***\", \"b\"'),
    ],
)
def test_a_secret_value_is_hidden_in_text(name: str, text: str, redacted: str) -> None:
    assert redact_text(text.replace("NAME", name)) == redacted.replace("NAME", name)


@pytest.mark.parametrize(
    ("text", "redacted"),
    [
        ('{"web_url":"https://h/x?auth=SECRET&b=SECRET"}', '{"web_url":"https://h/x?***"}'),
        ("https://h/x?a=%22SECRET%20SECRET b", "https://h/x?*** b"),
        (r'{"web_url":"https://h/x\u003fa=SECRET","b":1}', r'{"web_url":"https://h/x\u003f***","b":1}'),
        (r'"{\"web_url\":\"https://h/x?a=SECRET\",\"b\":1}"', r'"{\"web_url\":\"https://h/x?***\",\"b\":1}"'),
        ("https%3A%2F%2Fh%2Fx%3Fa%3DSECRET%20b", "https%3A%2F%2Fh%2Fx%3F***%20b"),
        ("h/x?SECRET", "h/x?***"),
        ("https://h/x#SECRET b", "https://h/x#*** b"),
        ("//h/x%23SECRET", "//h/x%23***"),
        ("//h/x%23SECRET%20SECRET b", "//h/x%23*** b"),
        (r"https://h/x?a=SECRET\u0020SECRET\u000aSECRET b", "https://h/x?*** b"),
        ("%3Fa?SECRET%20SECRET b", "%3F*** b"),
        (r"https:\/\/h\/x#SECRET", r"https:\/\/h\/x#***"),
        ("https://user:SECRET@h/x", "https://***@h/x"),
        ("https://SECRET@h/x", "https://***@h/x"),
        ("https://user:SEC@RET@h/x@2x.png", "https://***@h/x@2x.png"),
        ("https://user%3ASEC%2FRET%40h/x", "https://***%40h/x"),
        ('{"a":"https:/user:SECRET@h/x"}', '{"a":"https:/***@h/x"}'),
        ('{"a":"https:///user:SECRET@h/x"}', '{"a":"https:///***@h/x"}'),
        (r'{"a":"https:\/\/\/user:SECRET@h/x"}', r'{"a":"https:\/\/\/***@h/x"}'),
        ("https%3A%2Fuser%3ASECRET%40h", "https%3A%2F***%40h"),
        ('{"a":"https:/user:SECRET', '{"a":"https:/***'),
        ('{"a":"https:/h/x#SECRET"}', '{"a":"https:/h/x#***"}'),
        ("""{"a":"https://user:SEC'RET@h/x"}""", '{"a":"https://***@h/x"}'),
        (r"""{"a":"https://user:SEC\u0027RET'@h/x"}""", '{"a":"https://***@h/x"}'),
        ("{'a':'https://SECRET@h','b':'x@y'}", "{'a':'https://***@h','b':'x@y'}"),
        ('{"web_url":"https://user:SECRET', '{"web_url":"https://***'),
        ("https://user:443:SECRET", "https://***"),
        (r'{"a":"https:\/\/user:SECRET', r'{"a":"https:\/\/***'),
        ("https%3A%2F%2Fuser%3ASECRET", "https%3A%2F%2F***"),
        ("https://[user:SECRET", "https://***"),
        (r'{"web_url":"https:\/\/user:SECRET@h\/x"}', r'{"web_url":"https:\/\/***@h\/x"}'),
        ("Bearer SECRET, b", "Bearer ***, b"),
        ("basic%20SECRET%20b", "basic%20***%20b"),
        ("Bearer+SECRET b", "Bearer+*** b"),
        ('{"header":"Basic  SECRET"}', '{"header":"Basic  ***"}'),
        ("Authorization: Bearer SECRET b", "Authorization: *** *** b"),
        (r'{"a":"Bearer SECRET\u0020SECRET\u000aSECRET b"}', '{"a":"Bearer *** b"}'),
        (r'{"a":"b\nBearer SECRET b"}', r'{"a":"b\nBearer *** b"}'),
        ("Authorization: Token SECRET b", "Authorization: *** *** b"),
        ("Authorization: access_token: SECRET b", "Authorization: *** *** b"),
        ("password: secret=SECRET, token: sig: SECRET", "password: ***, token: *** ***"),
        ("-H 'authorization:%20Api-Key%20SECRET'", "-H 'authorization:%20***'"),
        ('{"acc\ufffds_tok\ufffdn":"c.SECRETSECRETSECRET_-"}', '{"acc\ufffds_tok\ufffdn":"***"}'),
        ("B\0e\0a\0r\0e\0r\0 \0S\0E\0C\0", "B\0e\0a\0r\0e\0r\0 \0***\0"),
    ],
)  # fmt: skip
def test_a_secret_is_hidden_by_what_it_looks_like(text: str, redacted: str) -> None:
    assert redact_text(text) == redacted
    assert redact_text(redacted) == redacted


@pytest.mark.parametrize(
    "text",
    [
        "",
        "Who is there?",
        "Door @ home # 2, a//b#c, 50%, 100%20",
        r'{"name":"C:\\","path":"C:\new\\\\","\u00e9":"\ud800\n"}',
        '{"author":"a","tokenized":1,"design":"x","secretary":"y","authority":"h"}',
        "the token is lost, a secret, Bearer, basics",
        '{"kinds":["token","secret"],"a":"the \\"token\\"","b":"no token","c":1}',
        "abc.defghijklmnopqrstuvwxyz0, c.short",
        "https://h/x@2x.png, https://h:8080/",
        "https:/h/x@2x.png, https:///h/x@y, file:/x@y, file:///x@y, C:/x@y, h:80/x@y",
        "{'a':'https://h','b':'x@y'}, 'https://h':'x@y' and 'https:/h' x@y",
        *(
            "http://h:8080",
            "(see http://h:8080).",
            "http://h",
            "http://h:",
            "http://[::1]:80.",
            "//[::",
        ),
        "Cupbearer Room camera, Aerobasic studio",
        "\u017fecret=a, s\u0131g=b, to\u212aen=c, Bas\u0131c d",
        r"token\U003da, \TOKEN",
        'access_token=, {"access_token":""}',
        "D\0o\0o\0r\0",
        "İstanbul ß ﬀ ﷺ \ufffd\ufffd",
    ],
)
def test_a_text_without_a_secret_stays_as_it_is(text: str) -> None:
    assert redact_text(text) == text


def test_letters_that_change_their_length_in_lower_case_move_nothing() -> None:
    assert redact_text("İİİ token=SECRET İ") == "İİİ token=*** İ"


@pytest.mark.parametrize("link", ["u005c", "x5c", "u00255c", "u0025255cx5c", "u002%355c"])
def test_a_spelling_of_a_spelling_is_seen_through_however_often(link: str) -> None:
    text = f"tok\\{link * (200_000 // len(link))}u0065n=SECRET b"
    assert redact_text(text) == text.replace("SECRET", "***")


@pytest.mark.parametrize(
    "unit",
    [
        "?",
        "\\",
        "\\/",
        '\\\\"',
        "\\u005c",
        "%25",
        "%5C",
        "\0",
        "//",
        "//a#",
        "//a%2F%2F",
        "://@",
        "ab:/",
        "ab:/a@'",
        "ab:///%2F",
        "access_token ",
        "access_token:",
        'token:\\"\\',
        "token=[ ",
        '"token":["',
        "token:{'\"",
        "token='\"",
        "token=%27\\u0027",
        '%22\\"token',
        "bearer+",
        "bearer ",
        "token[",
        "token]",
        "token+",
        "token:+",
        "token:b",
        "Authorization: a ",
        "//%2F%2F%20",
        "?%3F\\u003f",
        "c.",
        "c.abcdefghijklmnopqrstuvwxyz",
        '"token"z',
        "'token'\\",
        '"token""',
        "\\x5c",
    ],
)
def test_no_text_takes_more_time_than_its_length_asks_for(unit: str) -> None:
    """A pattern that looks back takes minutes for some of these, and a batch waits for it."""

    def duration(size: int) -> float:
        text = unit * (size // len(unit))
        start = time.process_time()
        redact_text(text)
        return time.process_time() - start

    short = min(duration(100_000) for _ in range(2))
    assert any(duration(400_000) < 10 * short for _ in range(2))


@pytest.mark.parametrize(
    ("text", "kept"),
    [
        ("Who is there?", "Who is there?"),
        ("Door #2 @ home, token=1, {x}, a//b?c", "Door #2 @ home, token=1, {x}, a//b?c"),
        ("[Hall] {a?", "[Hall] {a?"),
        ("see https://u:SECRET@h/x?SECRET now?", "see https://h/x now?"),
        ("'rtsp://SECRET@h/@2x#SECRET', https://h/", "'rtsp://h/@2x', https://h/"),
        ("https://h/http://u:SECRET@h2/", "https://h/http://h2/"),
        ("see https:/u:SECRET@h/x?SECRET https:///u@h", "see https:/h/x https:///h"),
        ("https://u:SEC'RET@h/x?SECRET", "https://h/x"),
        ("C:/a@b, file:/a@b?c and (https:/h/a@b)", "C:/a@b, file:/a@b?c and (https:/h/a@b)"),
        ('{"access_token":"SECRET","a":"b"}', '{"access_token":"***","a":"b"}'),
        ('[{"a":"https://SECRET@h/x?SECRET"}]', '[{"a":"https://***@h/x?***"}]'),
        ("{" * 100_000, "{" * 100_000),
    ],
    ids=lambda text: text[:30],
)
def test_a_text_field_loses_only_what_is_in_an_address_or_an_object(text: str, kept: str) -> None:
    assert redact_field(text) == kept
    assert redact_field(kept) == kept
