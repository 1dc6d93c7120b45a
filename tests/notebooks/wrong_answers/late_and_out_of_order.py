"""Typical wrong answers of the lab Late and out of order."""

PEOPLE = """import orjson


def people(records):
    seen = set()
    for record in records:
        for camera in orjson.loads(record.value)["devices"]["cameras"].values():
            event = camera.get("last_event", {})
            if event.get("has_person"):
                seen.add({})
    return seen
"""


def _people(member: str) -> str:
    return PEOPLE.replace("seen.add({})", f"seen.add({member})")


WRONG = {
    "counted": {
        'counted = {"at once"}': "limits included",
        'counted = {"at once", "an hour", "more than an hour", "clock behind"}': "a second beyond",
        'counted = {"at once", "one hour"}': "no record 'one hour'",
        'counted = "at once"': "'at once' is no set. A set of names is asked",
        "counted = 3": "3 is no set",
    },
    "hours": {
        "hours = 8": "are lost",
        "hours = 24": "fewer are enough",
        "hours = 8.5": "8.5 is no whole number",
        "hours = True": "True is no whole number",
    },
    "people": {
        _people('(record.offset, camera["device_id"])'): "tells of the same sighting again",
        _people('camera["device_id"]'): "became one",
        _people('event["start_time"]'): "by luck",
    },
}
