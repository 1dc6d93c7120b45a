"""Sightings of forgotten cameras whose messages are gone: the topics still have them, rightly.

`nest forget` deletes a home's archive rows and leaves its counts and its records in nest-sightings.
Once its messages have left nest-logs, too, nothing else tells of its sightings.
"""

import sqlite3

from check.forgotten import ForgottenIds
from check.sightings import UNPLACED, Outcome, Sightings
from check.streamed_sightings import StreamedSightings


def add_forgotten_sightings(
    sightings: Sightings, streamed: StreamedSightings, forgotten: ForgottenIds
) -> int:
    """Let nest-sightings explain what only forgotten homes told of; return how many sightings.

    It is for a topic of which records are gone. All other sightings have been added and flushed.
    That the zip code is the one that nest-sightings says has an expectation of its own.
    """
    number = 0
    for device_id, start in streamed.unexplained(forgotten.may_lack):
        sightings.add_expired(device_id, start, Outcome.COUNTED)
        number += 1
    sightings.flush()
    return number


def zip_codes_of_forgotten(
    connection: sqlite3.Connection, forgotten: ForgottenIds
) -> frozenset[str]:
    """Return the zip codes that forgotten cameras have by the locations that have been added.

    A forgotten id without a location is of a home, or of a camera that counts as unplaced.
    """
    connection.create_function("may_lack", 1, forgotten.may_lack, deterministic=True)
    placed = connection.execute(
        "SELECT zip_code FROM location WHERE may_lack(device_id)"
    ).fetchall()
    zip_codes = {zip_code or UNPLACED for (zip_code,) in placed}
    if len(placed) < len(forgotten.digests | forgotten.also_reported):
        zip_codes.add(UNPLACED)
    return frozenset(zip_codes)
