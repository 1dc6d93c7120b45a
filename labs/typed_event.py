"""A message with one event that somebody makes up, on the day of the labs' world."""

from datetime import datetime

from contract.instants import to_epoch_ms
from demo.events.nest_event import event_from_answers
from examples.playground import START, Record


def typed_event(device_id: str, start: str, sent: str) -> Record:
    """Return the record of an event in which a person was seen; both times as ``15:10:00``, UTC.

    ``start`` is when the event began and ``sent`` the timestamp of the record.
    """
    event = event_from_answers(device_id, True, _at(start))
    return Record(event.value, event.key, to_epoch_ms(_at(sent)))


def _at(clock: str) -> datetime:
    return datetime.fromisoformat(f"{START:%Y-%m-%d}T{clock}+00:00")
