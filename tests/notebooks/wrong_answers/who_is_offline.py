"""Typical wrong answers of the lab Who is offline?"""

OFFLINE_NOW = """from pipeline.newest_rows import (newest_per_camera)


def offline_now(camera):
    return """

MERGE = """


def merge(table, messages):
    merging = table.alias("old").merge(messages.alias("new"), "old.device_id = new.device_id")
    merging.whenMatchedUpdateAll(condition).whenNotMatchedInsertAll().execute()
"""

WRONG = {
    "offline_now": {
        OFFLINE_NOW
        + 'camera.where("NOT is_online").select("device_id").distinct()': "some are back",
        OFFLINE_NOW
        + 'camera.where("NOT is_online").transform(newest_per_camera)': "Which comes first",
        OFFLINE_NOW
        + """camera.join(
        camera.transform(newest_per_camera).where("NOT is_online").select("device_id"), "device_id"
    )""": "one row a camera",
        OFFLINE_NOW + 'camera.transform(newest_per_camera).where("is_online")': "it is not so",
    },
    "condition": {
        'condition = "true"' + MERGE: "back at minute 3",
        'condition = "new.timestamp < old.timestamp"' + MERGE: "back at minute 3",
        'condition = "new.is_online AND new.timestamp > old.timestamp"' + MERGE: "changes nothing",
        'condition = "new.timestamp >= old.timestamp"' + MERGE: "sent again",
    },
    "prediction": {
        'prediction = {"newest": "unknown", "in memory": "unknown", "version 0": "unknown"}': (
            "in every micro-batch"
        ),
        'prediction = {"newest": "94304", "in memory": "94304", "version 0": "94304"}': (
            "pinned to a version"
        ),
        'prediction = {"newest": "94304", "in memory": "94304", "version 0": "unknown"}': (
            "this session's memory"
        ),
    },
}
