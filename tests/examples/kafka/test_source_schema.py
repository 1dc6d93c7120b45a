"""The source has fixed columns; a value becomes text, columns, or what a deserializer gives."""

import pytest

from examples.kafka.source_schema import run
from examples.playground import Playground

pytestmark = [pytest.mark.spark, pytest.mark.kafka]


def test_a_value_is_read_as_text_as_columns_and_by_our_own_deserializer(
    playground: Playground,
) -> None:
    observed = run(playground)
    assert observed.columns == {
        "key": "binary",
        "value": "binary",
        "topic": "string",
        "partition": "int",
        "offset": "bigint",
        "timestamp": "timestamp",
        "timestampType": "int",
        "headers": "array<struct<key:string,value:binary>>",
    }
    assert observed.headers == [("dirt", b"late")]
    assert observed.text.startswith('{"metadata":{"access_token":"***"')
    assert observed.cameras_of_json == ["Backyard", "Living Room", "Office"]
    assert observed.cameras_of_compressed == observed.cameras_of_json
    assert observed.no_json is None
