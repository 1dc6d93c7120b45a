"""A click on a table whose rows change while the viewer looks at it."""

import sys
from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect

from demo.stack.ports import free_port, is_open
from demo.stack.service import Service
from tests.dashboard import moving_rows
from tests.dashboard.served_dashboard import choose_row, new_page, wait_until_drawn

pytestmark = pytest.mark.browser


def test_a_click_is_on_the_row_that_the_viewer_sees(chromium: Browser, tmp_path: Path):
    port = free_port()
    command = [sys.executable, "-m", "streamlit", "run", moving_rows.__file__]
    options = ["--server.port", str(port), "--server.address", "127.0.0.1"]
    with Service(
        "Page",
        [*command, *options, "--server.headless", "true"],
        log=tmp_path / "page.log",
        ready=lambda: is_open(port),
    ):
        page = new_page(chromium)
        page.goto(f"http://127.0.0.1:{port}/")
        wait_until_drawn(page)
        choose_row(page.get_by_test_id("stDataFrame"), 1)
        expect(page.get_by_text("chosen: row 1 of drawing 1")).to_be_visible()
        page.close()
