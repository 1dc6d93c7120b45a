"""Typical wrong answers of the lab People, not messages, with a part of the hint of each."""


def _report(
    *, in_time: bool = True, once: bool = True, join: str = '"left"', hour: str = "start_time"
) -> str:
    keep = ', "timestamp"' if hour == "timestamp" else ""
    timed = "on_time(events, lab.settings.lateness, lab.settings.clock_skew)"
    distinct = f'.groupBy("device_id", "start_time"{"" if once else ", timestamp"})'
    latest = f'{distinct}.agg(F.max("timestamp").alias("timestamp"))'
    return f"""def report(events, locations):
    rows = {timed if in_time else "events"}
    rows = rows{latest if once else ""}.select("device_id", "start_time"{keep})
    rows = rows.join(locations, "device_id", {join}).fillna("unknown", ["zip_code"])
    return rows.groupBy("zip_code", F.window("{hour}", "1 hour")).count()"""


WRONG = {
    "same_person": {
        'same_person = ["device"]': "events has no column device",
        'same_person = ["device_id", "start_time", "timestamp"]': "each message of the same event",
        'same_person = ["device_id"]': "it sees only one person ever",
        "same_person = []": ": take two columns.",
        'same_person = ["start_time"]': "two cameras may see somebody in the same moment",
    },
    "report": {
        "def report(events, locations):\n    return events": "the result has no column count",
        _report(once=False): "these are messages",
        _report(in_time=False): "the one who came too late is in it",
        _report(join='"inner"'): "Who has no place?",
        _report().replace('.fillna("unknown", ["zip_code"])', ""): "it should be `unknown`",
        _report(hour="timestamp"): "people are in the wrong hours",
        _report().replace("rows = on_time", "rows = events.where(\"device_id > 'M'\")\n    # "): (
            "people, and by hand there are"
        ),
        "def report(events, locations):\n    return events.count()": "checking your answer raised",
    },
    "key": {
        'key_columns = ["zip"]': "counts has the columns",
        'key_columns = ["zip_code", "window", "count"]': "the old one is never replaced",
        'key_columns = ["zip_code"]': "counts of different hours have the same key",
        'key_columns = ["window"]': "counts of different zip codes have the same key",
    },
}
