"""Typical wrong answers of the lab Bytes to rows, with a part of the hint of each."""


def _field(name: str, kind: str) -> str:
    return f'new_field = {{"name": "{name}", "type": "{kind}", "nullable": True, "metadata": {{}}}}'


def _payload(body: str) -> str:
    return f"def payload(value):\n    return {body}"


def _reasons(record: str, reason: str) -> str:
    right = {
        "hello": "malformed",
        "cut off": "malformed",
        "two in one": "malformed",
        "no device_id": "camera",
        "wrong type": "field",
        "new field": "none",
    }
    return f"reasons = {right | {record: reason}}"


WRONG = {
    "new_field": {
        _field("battery_level", "int"): "Spark knows no type 'int'",
        _field("batteryLevel", "integer"): "always null: no camera sends a field of that name",
        _field("battery_level", "string"): "as text, '9' is more than '87'",
        _field("battery_level", "boolean"): "It is a whole number",
    },
    "payload": {
        _payload("value[5:]"): "this gives bytes, and from_json wants text",
        _payload("value.decode()"): "the five bytes are still there",
        _payload("value[4:].decode()"): "A document begins with {",
        _payload("value[6:].decode()"): "A document begins with {",
        _payload("value.decode()[5:]"): "wrong for b'\\x00\\x00\\x01{\\xc8'",
        _payload(r'value.decode().lstrip("\x00\x07")'): "a number and no text",
        _payload('value[value.index(b"{"):].decode()'): "each may be any byte",
        _payload("value.payload"): "your answer raised AttributeError",
    },
    "reasons": {
        _reasons("two in one", "none"): "which one was meant?",
        _reasons("new field", "field"): "an unknown field is no error",
        _reasons("hello", "field"): "5 of 6 are right",
        _reasons("hello", "Malformed"): "its name is in lower case: 'malformed'",
    },
}
