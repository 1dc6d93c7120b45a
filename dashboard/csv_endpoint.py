"""What the dashboard answers where a CSV file is asked for: by a link of a page, or by a script.

The addresses last, so that a spreadsheet can read them again and again. A file has no place for a
notice. So it never has numbers that a page would call out of date: then there is no file, and the
answer says why.
"""

from collections.abc import Callable, Iterable
from datetime import UTC, datetime, timedelta
from http import HTTPStatus
from typing import TypeVar

from starlette.datastructures import QueryParams
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response

from contract.errors import UserError
from contract.polling import poll_until
from contract.redaction import redact_text
from dashboard import sources
from dashboard.data.background_value import LAKE_STALE_AFTER, STALE_AFTER, BackgroundValue
from dashboard.data.csv_files import (
    OFFLINE_CAMERAS_CSV,
    REPORT_CSV,
    offline_cameras_csv,
    report_csv,
)
from dashboard.data.offline_cameras import offline_rows
from dashboard.data.query_values import UnusableQueryError, has_unknown_zip_code
from dashboard.data.selection_query import parse_selection

T = TypeVar("T")

_TIMEOUT = 10
"""How many seconds a request waits for numbers of now."""


def csv_file(request: Request) -> Response:
    """Return the CSV file that the path names, or an answer with one line of text."""
    name = request.url.path.rpartition("/")[2]
    if name not in _FILES:
        return _refusal(HTTPStatus.NOT_FOUND, f"The CSV files are {' and '.join(_FILES)}.")
    try:
        content = _FILES[name](request.query_params)
    except UnusableQueryError as error:
        return _refusal(HTTPStatus.BAD_REQUEST, str(error))
    except UserError as error:
        return _refusal(HTTPStatus.SERVICE_UNAVAILABLE, redact_text(str(error)))
    headers = {
        "Content-Disposition": f'attachment; filename="{name}"',
        "Cache-Control": "no-store",
        "X-Content-Type-Options": "nosniff",
    }
    return Response(content, media_type="text/csv", headers=headers)


def _report(query: QueryParams) -> bytes:
    """Return the report of the selection that a query names."""
    values = {name: query.getlist(name) for name in query}
    selection = parse_selection(values, sources.settings().threshold)
    view = current_value(sources.counts(), "The counts", STALE_AFTER)
    placed = sources.device_places().zip_code_of.values()
    _require_known(selection.zip_codes, {*view.zip_codes, *placed})
    return report_csv(view.select(selection, datetime.now(UTC)).report(selection.threshold))


def _offline_cameras(query: QueryParams) -> bytes:
    """Return the cameras that are offline, of the ``zip`` code of a query or of all."""
    if not {*query} <= {"zip"}:
        raise UnusableQueryError("The parameter can be zip, and no other.")
    view = current_value(sources.cameras(), "The cameras", LAKE_STALE_AFTER)
    places = sources.device_places()
    if zip_code := query.get("zip"):
        _require_known([zip_code], {*places.zip_code_of.values()})
        view = view.of_zip_code(zip_code, places.zip_code_of)
    return offline_cameras_csv(offline_rows(view, places))


def _require_known(zip_codes: Iterable[str], known: set[str]) -> None:
    """Refuse a zip code that would only make the file empty."""
    if has_unknown_zip_code(zip_codes, known):
        raise UnusableQueryError("No camera has the zip code in the address.")


_FILES: dict[str, Callable[[QueryParams], bytes]] = {
    REPORT_CSV: _report,
    OFFLINE_CAMERAS_CSV: _offline_cameras,
}


def current_value(source: BackgroundValue[T], what: str, stale_after: timedelta) -> T:
    """Return a value that no page would call out of date; UserError, with the reason, without one.

    The first read after nobody has looked for a while gives the last value of then.
    """
    before = source.read()

    def current() -> tuple[T, ...]:
        snapshot = source.read()
        if snapshot.problem and snapshot is not before:
            raise UserError(f"{what} cannot be read now. {snapshot.problem}")
        is_unavailable = snapshot.is_unavailable(datetime.now(UTC), stale_after)
        return () if snapshot.value is None or is_unavailable else (snapshot.value,)

    try:
        (value,) = poll_until(current, what, _TIMEOUT)
    except TimeoutError:
        raise UserError(f"{what} cannot be read now. No answer came in {_TIMEOUT} s.") from None
    return value


def _refusal(status: HTTPStatus, reason: str) -> Response:
    return PlainTextResponse(f"{reason}\n", status_code=status)
