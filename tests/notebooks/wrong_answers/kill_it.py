"""Typical wrong answers of the lab Kill it, with a part of the hint of each."""


def _options(app_id: str, version: str) -> str:
    return f'def options(batch_id):\n    return {{"txnAppId": {app_id}, "txnVersion": {version}}}'


def _triggers(table: str, page: str, door: str) -> str:
    return f"""triggers = {{
    "a table that people read each morning": "{table}",
    "a page with counts that is some seconds old at most": "{page}",
    "a door that opens when a camera sees a face, in 50 ms": "{door}",
}}"""


WRONG = {
    "once": {
        "def options(batch_id):\n    return {}": "batch 1 was not recognised",
        _options('"numbers"', "0"): "The version has to grow from batch to batch",
        f"import uuid\n\n{_options('str(uuid.uuid4())', 'batch_id')}": "differ each time",
        _options('"numbers"', "batch"): "your answer raised NameError",
    },
    "new_checkpoint": {
        "missing_with_the_same_id, twice_with_a_new_id = 0, 40": "It does not look at the rows",
        "missing_with_the_same_id, twice_with_a_new_id = 70, 40": "nothing deletes it",
        "missing_with_the_same_id, twice_with_a_new_id = 10, 40": "which of these has Delta not",
        "missing_with_the_same_id, twice_with_a_new_id = 30, 0": "Delta knows of no batch",
        "missing_with_the_same_id, twice_with_a_new_id = 30, 70": "Which were there before?",
    },
    "triggers": {
        _triggers("availableNow", "processingTime", "processingTime"): "too long for a door",
        _triggers("processingTime", "processingTime", "realTime"): "once a night is enough",
        _triggers("availableNow", "realTime", "realTime"): "some seconds are allowed",
        _triggers("nightly", "processingTime", "realTime"): "is none of the three triggers",
    },
}
