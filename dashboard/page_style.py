"""Put the dashboard's style into each page before Streamlit draws anything.

A style that the script sends comes later than the first elements, which then move.
"""

from starlette.datastructures import Headers, MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

_END_OF_HEAD = b"</head>"


class PageStyle:
    """ASGI middleware that adds a style sheet to the head of every HTML page."""

    def __init__(self, app: ASGIApp, css: str) -> None:
        """Add the style sheet ``css`` to the pages of an ASGI application."""
        self._app = app
        self._style = f"<style>{css}</style>".encode()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request, a page with the style."""
        if scope["type"] != "http" or "text/html" not in Headers(scope=scope).get("accept", ""):
            await self._app(scope, receive, send)
            return
        start: Message | None = None
        body = b""

        async def send_styled(message: Message) -> None:
            nonlocal start, body
            if message["type"] == "http.response.start" and _is_page(message):
                start = message  # until its length is known
            elif message["type"] != "http.response.body" or start is None:
                await send(message)
            else:
                body += message.get("body", b"")
                if message.get("more_body", False):
                    return
                body = body.replace(_END_OF_HEAD, self._style + _END_OF_HEAD, 1)
                headers = MutableHeaders(raw=start["headers"])
                headers["content-length"] = str(len(body))
                del headers["etag"], headers["last-modified"]  # they are those of the bare page
                await send(start)
                await send({"type": "http.response.body", "body": body})

        # A compressed page could not be changed; what it loads may be compressed.
        sent = [each for each in scope["headers"] if each[0] != b"accept-encoding"]
        await self._app({**scope, "headers": sent}, receive, send_styled)


def _is_page(message: Message) -> bool:
    kind = MutableHeaders(raw=message["headers"]).get("content-type", "")
    return message["status"] == 200 and kind.startswith("text/html")
