"""The sentence before the figures, on the page."""

import pytest

from tests.dashboard.page_content import refresh_until
from tests.sample.counts import count, send_counts
from tests.sample.progress import progress, send_messages, send_progress


def headline(page) -> str:
    return next((each.value for each in page.get("html") if each.value.startswith("<p")), "")


@pytest.mark.kafka
def test_the_sentence_is_about_the_selection_and_shows_text_from_the_topic_as_it_is(
    open_page, fresh_topics
):
    hostile = "<script>alert(1)</script>"
    send_counts(fresh_topics, count("94304", 0, 900), count(hostile, 0, 1_000))
    send_messages(fresh_topics, 1)
    send_progress(fresh_topics, progress("stats", 1))
    page = open_page(bootstrap_servers=fresh_topics)
    refresh_until(page, lambda page: "1,900 sightings" in headline(page), "the sentence")
    refresh_until(page, lambda page: "Complete up to <strong>" in headline(page), "the stream")
    assert "&lt;script&gt;alert(1)&lt;/script&gt;" in headline(page)
    assert "<script" not in headline(page)
    assert headline(page).endswith("ago</strong>; not proved yet.</p>")
    page.multiselect(key="zip").select("94304").run()
    assert "900 sightings" in headline(page)
    assert "Palo Alto 94304</strong>" in headline(page)
