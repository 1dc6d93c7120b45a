"""The signals that ask a program to stop in order."""

import signal

STOP_SIGNALS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
"""Ctrl-C, what a system or Docker sends, and a closed terminal: all mean the same."""
