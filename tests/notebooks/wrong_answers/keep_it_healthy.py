"""Typical wrong answers of the lab Keep it healthy, ship it."""

RULE = """from datetime import timedelta


def wake_somebody(progress, waiting, now):
    """
FAILED = 'progress.state in ("restarting", "stopped")'
OLD = "now - progress.committed_at > timedelta(minutes=5)"

WRONG = {
    "cheap_condition": {
        "cheap_condition = \"tmestamp >= '2026-03-04 16:40'\"": "`tmestamp` cannot be resolved",
        'cheap_condition = "hour(timestamp) >= 16"': "from before 16:40",
        "cheap_condition = \"date_format(timestamp, 'HH:mm') >= '16:40'\"": "inside of a function",
    },
    "wake_somebody": {
        RULE + f'return progress.state != "running" or {OLD}': "for nothing",
        RULE + 'return progress.state != "running" or waiting > 0': "is at work",
        RULE + 'return progress.state != "running"': "everybody sleep",
        RULE + f"return {FAILED} or (waiting > 0 and {OLD.replace('5', '1')})": "too early",
        RULE + f"return {FAILED} or (waiting > 0 and {OLD.replace('5', '9')})": "too late",
        RULE + f"return {FAILED} or (waiting > 100 and {OLD})": "One message waits",
        RULE + f"return {FAILED} or (waiting > 1 and {OLD})": "One message waits",
        RULE + f"return waiting > 0 and {OLD}": "all is well",
        RULE + f'return progress.state != "running" or (waiting > 0 and {OLD})': "begin by itself",
    },
    "last_good_version": {
        "last_good_version = table.history().where(\"operation = 'UPDATE'\").first().version": (
            "damage is done"
        ),
        'last_good_version = "14"': "A number is asked, not text",
        "last_good_version = 999": "no such version",
        "last_good_version = 1": "older than need be",
    },
}
