"""A page under test."""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
import streamlit as st
from streamlit.testing.v1 import AppTest

import dashboard

APP = Path(dashboard.__file__).with_name("app.py")


@pytest.fixture
def open_page(monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[..., AppTest]]:
    """Open the dashboard as a process of its own would, with these settings."""

    def open_with(**settings: str) -> AppTest:
        for name, value in settings.items():
            monkeypatch.setenv(f"NEST_{name.upper()}", value)
        st.cache_resource.clear()
        return AppTest.from_file(str(APP), default_timeout=30)

    yield open_with
    st.cache_resource.clear()
