"""The slides of the presenter's mode while a source is missing, and with an old verdict."""

from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from contract.last_check import LastCheck, keep_last_check
from demo.stack.ports import free_port
from tests.dashboard.page_content import refresh_until, shows, text_of
from tests.fixtures.kafka import GIVES_UP_SOON
from tests.sample.verdicts import HOLDS


@pytest.mark.parametrize("slide", [1, 2, 3])
def test_a_slide_says_that_kafka_cannot_be_read(open_page, slide: int):
    nowhere = f"127.0.0.1:{free_port()}"
    page = open_page("present", bootstrap_servers=nowhere, kafka_options=GIVES_UP_SOON)
    page.query_params["slide"] = str(slide)
    refresh_until(page, shows("Kafka cannot be read"), "the notice")
    assert "There are no counts" not in text_of(page)
    assert not page.metric


def test_an_old_verdict_is_not_shown_as_one_of_now(open_page, tmp_path: Path):
    days_ago = datetime.now(UTC) - timedelta(days=6)
    keep_last_check(tmp_path, LastCheck(days_ago, days_ago, HOLDS))
    page = open_page("present")
    page.query_params["slide"] = "5"
    refresh_until(page, shows("Checked 6 days ago."), "how old it is")
