"""Spare the garbage collector what stays until the end."""

import atexit
import gc

import streamlit as st


@st.cache_resource(show_spinner=False)
def freeze_loaded_objects() -> None:
    """Let the garbage collector pass over all objects of now, once per process.

    Streamlit collects garbage after every refresh. Half a million objects of code and schemas,
    which are loaded by the end of the first page, took half of the processor time of a viewer.
    """
    gc.collect()
    gc.freeze()
    atexit.register(gc.unfreeze)  # else libraries complain about what is left when Python ends
