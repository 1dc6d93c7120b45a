"""The tab Quarantine of the page Lake."""

from pathlib import Path

import pytest

from contract.lake import FUTURE, MALFORMED, NO_DEVICE_ID, WRONG_FIELD
from tests.dashboard.page_content import metrics, refresh_until, text_of
from tests.sample.lake import append_cameras, append_quarantine, camera, rejected


def test_records_are_shown_as_they_are_and_without_credentials(open_page, tmp_path: Path):
    append_cameras(tmp_path, camera("a", 0))
    raw = '{"access_token":"c.secret","x":"<script>alert(1)</script> **b** $x$"'
    append_quarantine(
        tmp_path, rejected("malformed", 0, raw=raw), rejected("malformed", 1, raw=None)
    )
    page = open_page("lake", lake=str(tmp_path))
    refresh_until(page, lambda page: metrics(page).get("malformed") == "2", "the reasons")
    verbatim = [code.value for code in page.code]
    assert any("<script>alert(1)</script> **b** $x$" in text for text in verbatim)
    assert not any("c.secret" in text for text in verbatim)
    assert not any("script" in element.value for element in page.markdown)
    assert "Of each reason the newest 3 are shown" in text_of(page)
    assert "Times are in UTC" in text_of(page)


@pytest.mark.parametrize(
    ("reason", "explanation"),
    [
        (MALFORMED, "not one JSON object of the right shape"),
        (NO_DEVICE_ID, "has no device_id"),
        (WRONG_FIELD, "has a wrong type"),
        (FUTURE, "starts in the future"),
    ],
)
def test_each_reason_is_explained(open_page, tmp_path: Path, reason: str, explanation: str):
    append_quarantine(tmp_path, rejected(reason, 0))
    page = open_page("lake", lake=str(tmp_path))
    refresh_until(page, lambda page: metrics(page).get(reason) == "1", "the reason")
    assert explanation in text_of(page)
