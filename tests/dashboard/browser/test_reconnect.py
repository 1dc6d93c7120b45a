"""An open page while Kafka is stopped and started again."""

import pytest
from playwright.sync_api import expect

from contract.settings import load_settings
from demo.stack.broker import Broker
from demo.stack.ports import free_port
from tests.dashboard.page_quality import violations
from tests.dashboard.served_dashboard import (
    counts_of_a_day,
    metric,
    new_page,
    served_dashboard,
    this_hour,
)
from tests.fixtures.kafka import renew_topics
from tests.sample.counts import send_counts


@pytest.mark.kafka
@pytest.mark.browser
def test_an_open_page_shows_that_kafka_is_unavailable_and_recovers_by_itself(chromium, tmp_path):
    settings, port, hour = load_settings(), free_port(), this_hour()

    def broker() -> Broker:
        return Broker(settings, tmp_path / "data", tmp_path / "broker.log", port=port)

    with served_dashboard(f"127.0.0.1:{port}", tmp_path) as dashboard_port:
        page = new_page(chromium)
        with broker() as first:
            renew_topics(first.bootstrap_servers)
            send_counts(first.bootstrap_servers, *counts_of_a_day(hour, factor=100))
            page.goto(f"http://localhost:{dashboard_port}/?threshold=900")
            expect(metric(page, "Report rows, above 900")).to_have_text("42")
        expect(page.get_by_text("Kafka is unavailable. The numbers are from")).to_be_visible()
        expect(page.get_by_text("No Kafka broker answers")).to_be_visible()
        expect(metric(page, "Report rows, above 900")).to_have_text("42")
        assert violations(page) == []
        with broker() as second:
            send_counts(second.bootstrap_servers, *counts_of_a_day(hour, factor=200))
            expect(metric(page, "Report rows, above 900")).to_have_text("57")
            expect(page.get_by_text("Kafka is unavailable.")).to_have_count(0)
