"""Where `nest send` gets its event from: a file, standard input, options, or three questions."""

import json
import sys
from contextlib import nullcontext, suppress
from datetime import datetime
from pathlib import Path

import typer

from contract.errors import UserError
from contract.settings import Settings
from contract.stats import UNPLACED
from demo.events.nest_event import NestEvent, event_from_answers, event_from_json, parse_moment
from demo.tables.known_cameras import first_placed_device, zip_codes_of


def read_event(
    settings: Settings,
    device: str | None,
    saw_person: bool | None,
    at: str | None,
    file: str | None,
) -> NestEvent:
    """Return the event that somebody wants to send; UserError for input that is none.

    Options come first. In a terminal what they leave open is asked; elsewhere it takes its default,
    or without any option the whole event comes on standard input.
    """
    has_answer = any(option is not None for option in (device, saw_person, at))
    if file is not None:
        if has_answer:
            raise UserError("--file is a whole event: leave out --device, --person and --at.")
        return event_from_json(_read(file))
    is_asked = sys.stdin.isatty()
    if not is_asked and not has_answer:
        return event_from_json(_read("-"))
    if device is None:
        with suppress(UserError) if is_asked else nullcontext():  # then somebody names one
            device = first_placed_device(settings.device_locations)
        if is_asked:
            device = _ask_camera(device, may_paste=not has_answer)
            if device.startswith("{"):
                return event_from_json(device)
            _remark_unplaced(settings.device_locations, device)
    if device is None:
        raise UserError(
            f"NEST_DEVICE_LOCATIONS={settings.device_locations} has no camera with a zip code: "
            "give --device."
        )
    if saw_person is None:
        saw_person = typer.confirm("Was it a person?", default=True) if is_asked else True
    if at is None and is_asked:
        start = typer.prompt("When did it begin (UTC)?", default="now", value_proc=_as_moment)
    else:
        start = parse_moment("now" if at is None else at)
    return event_from_answers(device, saw_person, start)


def _as_camera(answer: str) -> str:
    """Return an answer without the blanks around it; with nothing else the question comes again."""
    if not answer.strip():
        raise typer.BadParameter("A camera needs a device_id.")
    return answer.strip()


def _remark_unplaced(locations: str, device: str) -> None:
    """Say at once, before more is asked, that a camera may be misspelled; it can be sent."""
    with suppress(UserError):  # whoever sends it says why the table cannot be read
        if zip_codes_of(locations, [device])[device] == UNPLACED:
            typer.echo(f"{locations} has no camera {device!r} with a zip code. Ctrl-C ends this.")


def _as_moment(answer: str) -> datetime:
    """Return the instant of an answer; a wrong one lets the question be asked again."""
    try:
        return parse_moment(answer)
    except UserError as error:
        raise typer.BadParameter(str(error)) from None


def _ask_camera(default: str | None, *, may_paste: bool) -> str:
    """Ask which camera; a document that is pasted instead may have several lines."""
    question = "Which camera (device_id)?"
    if may_paste:
        question = "Which camera (device_id)? Or paste an event as JSON."
    with suppress(ImportError):
        import readline  # noqa: F401  # without it a terminal cuts a line at some kB
    answer: str = typer.prompt(question, default=default, value_proc=_as_camera)
    with suppress(EOFError):
        while answer.startswith("{") and not _is_complete(answer):
            answer += "\n" + input("... ")
    return answer


def _is_complete(text: str) -> bool:
    """Tell whether no more lines can make JSON of a text that is not JSON yet."""
    try:
        json.loads(text)
    except json.JSONDecodeError as error:
        return text[error.pos :].strip() != "" and "Unterminated" not in error.msg
    except RecursionError:  # whoever reads it says so
        return True
    return True


def _read(file: str) -> str:
    if file == "-":
        data = sys.stdin.buffer.read()
    else:
        try:
            data = Path(file).read_bytes()
        except OSError as error:
            raise UserError(f"{file} cannot be read: {error.strerror}.") from None
    if not data.strip():
        source = "Standard input" if file == "-" else file
        raise UserError(f"{source} is empty: there is no event to send.")
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise UserError("The event is not UTF-8. Nothing was sent.") from None
