"""Refuse requests for a host name that is not the dashboard's own.

A web page can point its own host name at this machine (DNS rebinding), and a browser then takes the
dashboard for a part of that page. The ``Host`` header still carries the page's name. Streamlit
compares it for websockets alone; this covers pages, files and downloads too.
"""

from collections.abc import Sequence
from urllib.parse import urlsplit

from starlette.datastructures import Headers
from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp, Receive, Scope, Send


class AllowedHosts:
    """ASGI middleware that answers 403 unless the request is for one of the ``hosts``.

    ``hosts`` are names or addresses without a port, since the published port may be any.
    """

    def __init__(self, app: ASGIApp, hosts: Sequence[str]) -> None:
        """Protect an ASGI application."""
        self._app = app
        self._hosts = frozenset(map(str.lower, hosts))

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request on, or refuse it."""
        if scope["type"] in ("http", "websocket"):
            names = {_host_name(each) for each in Headers(scope=scope).getlist("host")}
            if not names or not names <= self._hosts:
                refusal = PlainTextResponse(
                    "The dashboard does not answer requests for this host name. "
                    "The setting NEST_DASHBOARD_HOSTS lists the names that it answers.\n",
                    status_code=403,
                )
                await refusal(scope, receive, send)
                return
        await self._app(scope, receive, send)


def _host_name(header: str) -> str | None:
    """Return the name in a Host header, without the port; None if the header is none."""
    try:
        parts = urlsplit(f"//{header}")
        has_only_host = header == parts.netloc and "@" not in header
        return (parts.hostname or "").rstrip(".") if has_only_host else None
    except ValueError:
        return None
