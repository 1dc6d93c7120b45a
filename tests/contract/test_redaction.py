"""No credential is left in what is kept, and no text takes longer than its length."""

import pytest

from check.rules.redaction import hide_secrets
from contract.redaction import redact_text, redact_url


@pytest.mark.parametrize(
    ("url", "kept"),
    [
        ("https://h/p?auth=c.SECRET", "https://h/p"),
        ("https://h/p#SECRET", "https://h/p"),
        ("https://user:SECRET@h/p?a#b", "https://h/p"),
        ("user:SECRET@h/p", "h/p"),
        ("https://h/p@2x.png", "https://h/p@2x.png"),
        ("", ""),
    ],
)
def test_a_url_loses_query_fragment_and_user(url: str, kept: str) -> None:
    assert redact_url(url) == kept


@pytest.mark.parametrize(
    "text",
    [
        '{"metadata":{"access_token":"c.SECRET","client_version":1}}',
        '{"metadata":{"access_token": "c.SECRET',
        r'"{\"access_token\":\"c.SECRET\"}"',
        "access_token=SECRET",
        '{"web_url":"https://h/x?auth=SECRET&more=SECRET"}',
        '{"web_url":"https://user:SECRET@h/x"}',
        r'{"web_url":"https:\/\/user:SECRET@h\/x"}',
        r'{"web_url":"https://h/x\u003fauth=SECRET"}',
    ],
)
def test_raw_text_keeps_no_credential(text: str) -> None:
    assert "SECRET" not in redact_text(text)


def test_the_rest_of_a_text_stays_as_it_is() -> None:
    text = '{"access_token":"c.SECRET","web_url":"https://h/x?auth=SECRET","name":"Door @ home"}'
    assert redact_text(text) == (
        '{"access_token":"***","web_url":"https://h/x?***","name":"Door @ home"}'
    )


@pytest.mark.parametrize(
    "text",
    [
        "?" + "\\" * 200_000,
        "\\" * 200_000,
        "access_token" + " " * 200_000,
        'access_token:\\"' + "\\" * 200_000,
        "access_token:" * 20_000,
        "//" * 100_000,
        "\\/" * 100_000,
    ],
    ids=lambda text: repr(text[:16]),
)
@pytest.mark.timeout(20)
def test_no_text_takes_more_time_than_its_length_asks_for(text: str) -> None:
    """A pattern that looks back takes minutes for each of these, and a batch waits for it."""
    redact_text(text)
    hide_secrets(text)
