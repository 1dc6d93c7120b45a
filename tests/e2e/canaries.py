"""Messages with one secret in many spellings and places; no reader downstream may ever see it."""

import json
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq

CANARY = "cAnArY7f3c9b2eD"
ESCAPED = "".join(f"\\u{ord(character):04x}" for character in CANARY)
PERCENT = "".join(f"%{ord(character):02X}" for character in CANARY)
SPELLINGS = (CANARY, ESCAPED, PERCENT, CANARY.encode("utf-16-le").decode("latin-1"))


def planted() -> list[bytes]:
    """Return well-formed and malformed documents, each with the secret in it."""
    text = json.dumps(document(name="Hall"))
    return [
        *(json.dumps(document(**fields)).encode() for fields in ODD_FIELDS),
        text.replace(CANARY, ESCAPED).encode(),
        text.replace("access_token", "access\\u005ftoken").encode(),
        # Malformed as a whole: they go to the quarantine as they are, but for the secret.
        text[:60].encode(),
        f'{{"metadata":{{"access_token":"{CANARY}'.encode(),
        f"not json, access_token={CANARY}&x=1".encode(),
        f"Authorization: Bearer {CANARY}".encode(),
        f"see https://user:{CANARY}@home.nest.com/ and https://x/?auth={CANARY}#{CANARY}".encode(),
        json.dumps(text)[:-1].encode(),  # escaped, and cut off
        f"access_token%3D{PERCENT}".encode(),
        f'{{"devices": [], "client_secret": "{CANARY}"}}'.encode(),
        f"{{'password': '{CANARY}'}}".encode(),
        text.encode("utf-16-le"),
    ]


def document(**camera: Any) -> dict[str, Any]:
    """Return a home's document; its camera has these fields beside those that always have URLs."""
    now = datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%S.000Z")
    web_url = f"https://home.nest.com/cameras/1?auth={CANARY}"
    return {
        "metadata": {"access_token": CANARY, "client_version": 1},
        "devices": {
            "cameras": {
                f"map-key?access_token={CANARY}": {
                    "device_id": "canary-camera",
                    "is_online": True,
                    "last_is_online_change": now,
                    "web_url": web_url,
                    "app_url": f"nestmobile://cameras/1#{CANARY}",
                    "snapshot_url": f"https://user:{CANARY}@www.dropcam.com/1.jpg",
                    "public_share_url": f"https://video.nest.com/live/1?token%3D{PERCENT}",
                    "last_event": {
                        "has_person": True,
                        "start_time": now,
                        "web_url": web_url,
                        "image_url": f"{web_url}#{CANARY}",
                    },
                    "unknown_secret": CANARY,
                    **camera,
                }
            }
        },
        "structures": {"1": {"wwn_token": CANARY}},
    }


ODD_FIELDS: tuple[dict[str, Any], ...] = (
    {},
    {"name": f"Hall, see https://x.example/a?access_token={CANARY}"},
    {"name_long": f"https://user:{CANARY}@x.example/"},
    {"where_name": {"access_token": CANARY}},
    {"software_version": json.dumps({"access_token": CANARY})},
    {"web_url": {"access_token": CANARY}},
    {"web_url": [f"https://x.example/?auth={CANARY}"]},
    {"is_online": f"Bearer {CANARY}"},
    {"last_is_online_change": f"2026?access_token={CANARY}"},
    {"last_event": f"https://x.example/?auth={CANARY}"},
    {"activity_zones": [{"id": 1, "name": f"https://x.example/#{CANARY}"}]},
    {"device_id": None, "access_token": CANARY},
    {"device_id": [f"https://x.example/?auth={CANARY}"]},
)


def files_with(folder: Path, words: tuple[str, ...]) -> list[str]:
    """Return the files in a folder that hold one of the words, as bytes or in a Parquet column.

    Spark's state is compressed, too. It is not unpacked: it has zip codes, hours and hashes alone.
    """
    found = []
    for file in (path for path in folder.rglob("*") if path.is_file()):
        content = file.read_bytes()
        if file.suffix == ".parquet":
            rows = pq.read_table(file, partitioning=None).to_pylist()
            content += "\n".join(_texts_in(rows)).encode("utf-8", "replace")
        found += [f"{file}: {word}" for word in words if word.encode("utf-8", "replace") in content]
    return found


def _texts_in(value: object) -> Iterator[str]:
    """Yield every text in nested values, as it is: a repr would double each backslash."""
    if isinstance(value, dict):
        value = [*value, *value.values()]
    if isinstance(value, list | tuple):  # a map is a list of pairs
        for each in value:
            yield from _texts_in(each)
    elif isinstance(value, str):
        yield value
    elif isinstance(value, bytes):
        yield value.decode("latin-1")
