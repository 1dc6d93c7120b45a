"""Which cameras the page Cameras shows: those of a zip code, and one of them."""

from collections.abc import Callable, Mapping
from typing import NoReturn

import streamlit as st

from contract.stats import UNPLACED
from dashboard import sources
from dashboard.data.lake.cameras import CamerasView
from dashboard.widgets.navigation import navigate_to
from dashboard.widgets.query_params import follow_history, initial_param, set_param

MAX_CHOICES = 5000
"""Cameras on offer; the address takes the id of any other."""


def open_zip_code(zip_code: str) -> NoReturn:
    """Leave for the cameras of a zip code."""
    navigate_to("cameras", zip=zip_code)


def open_camera(device_id: str, zip_code: str | None = None) -> NoReturn:
    """Leave for one camera, among those of a zip code or of all."""
    navigate_to("cameras", **({"zip": zip_code} if zip_code else {}), camera=device_id)


def choose_zip_code() -> str | None:
    """Let the viewer choose a zip code or the devices without one; None for all cameras."""
    places = sources.device_places()
    zip_codes = sorted(set(places.zip_code_of.values()), key=places.name)
    labels = {zip_code: places.name(zip_code) for zip_code in zip_codes} | {UNPLACED: UNPLACED}
    placeholder = "All; type a city or a zip code"
    return _select(
        "zip", "chosen zip code", labels, places.name, label="Zip code", placeholder=placeholder
    )


def choose_camera(view: CamerasView | None) -> str | None:
    """Let the viewer choose a camera, offline ones first; the address keeps its device id."""
    labels: dict[str, str] = {}
    if view is not None and not view.rows.empty:
        rows = view.rows.sort_values(["is_online", "name", "device_id"]).head(MAX_CHOICES)
        labels = {
            device_id: camera_label(device_id, name)
            for device_id, name in zip(rows["device_id"], rows["name"], strict=True)
        }
    placeholder = "Type a name, a city, a zip code or a device id"
    return _select(
        "camera",
        "chosen camera",
        labels,
        camera_label,
        label="Camera",
        placeholder=placeholder,
        width=520,
    )


def _select(
    name: str,
    key: str,
    labels: Mapping[str, str],
    label_of_other: Callable[[str], str],
    *,
    label: str,
    placeholder: str,
    width: int = 265,
) -> str | None:
    """Show a menu of what ``labels`` has; the address, at ``name``, may have another choice."""
    initial, current = initial_param(name), st.query_params.get(name)
    follow_history(key, current)
    kept = [each for each in (initial, current, st.session_state.get(key)) if each]
    choices = list(dict.fromkeys([*labels, *kept]))
    chosen: str | None = st.selectbox(
        label,
        choices,
        index=choices.index(initial) if initial else None,
        placeholder=placeholder,
        format_func=lambda each: labels.get(each) or label_of_other(each),
        filter_mode="contains",
        key=key,
        persist_state="session",
        width=width,
    )
    set_param(name, chosen)
    return chosen


def camera_label(device_id: str, name: str | None = None) -> str:
    """Return a camera's name, place and device id, as far as they are known."""
    places = sources.device_places()
    zip_code = places.zip_code_of.get(device_id)
    place = f", {places.name(zip_code)}" if zip_code else ""
    return f"{name or 'Camera'}{place} ({device_id})"
