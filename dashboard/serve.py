"""The command that serves the dashboard; it works from any folder."""

import sys
from pathlib import Path

_FOLDER = Path(__file__).parent
LOOPBACK = "127.0.0.1"

OPTIONS = {
    "server.headless": "true",  # else the first start asks for an e-mail address
    "server.fileWatcherType": "none",
    "browser.serverAddress": "localhost",  # the address that Streamlit prints
    "browser.gatherUsageStats": "false",
    "client.toolbarMode": "minimal",
    "client.showErrorLinks": "false",
    "client.showErrorDetails": "type",  # tracebacks go to the log, not to viewers
    # The export that Streamlit adds to each table writes text that a spreadsheet runs as a formula.
    "client.disableDataExport": "true",
    # A control has its first value from the address and another after the browser's Back.
    "global.disableWidgetStateDuplicationWarning": "true",
    "theme.base": str(_FOLDER / "theme.toml"),
}
"""Streamlit's protection against cross-site requests is on by default and stays on."""


def dashboard_command(
    port: int, address: str = LOOPBACK, hosts: str = f"localhost,{LOOPBACK}"
) -> list[str]:
    """Return the command line that serves the dashboard until it is stopped.

    It only answers requests for one of the ``hosts`` (names separated by commas), at whatever port
    and address they come in, so that no web page can reach it by another host name. In production:
    a proxy with TLS and a login.
    """
    options = {"server.port": str(port), "server.address": address, **OPTIONS}
    command = [sys.executable, "-m", "dashboard.server"]
    command += [f"--{name}={value}" for name, value in options.items()]
    return command + [f"--server.allowedHosts={host.strip()}" for host in hosts.split(",")]
