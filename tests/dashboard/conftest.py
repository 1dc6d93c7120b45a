"""A page under test."""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
import streamlit as st
from streamlit.testing.v1 import AppTest

APP = "import runpy, dashboard\nrunpy.run_module('dashboard.app', run_name='__main__')"
PAGE = "from dashboard.views.{0} import {0}_page\n{0}_page()"


@pytest.fixture
def open_page(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[Callable[..., AppTest]]:
    """Open the dashboard, or one page of it, with settings, as in a new process."""

    def open_with(page: str = "", **settings: str) -> AppTest:
        monkeypatch.setenv("NEST_STATE", str(tmp_path))
        for name, value in settings.items():
            monkeypatch.setenv(f"NEST_{name.upper()}", value)
        st.cache_resource.clear()
        st.cache_data.clear()
        return AppTest.from_string(PAGE.format(page) if page else APP, default_timeout=30)

    yield open_with
    st.cache_resource.clear()
    st.cache_data.clear()
