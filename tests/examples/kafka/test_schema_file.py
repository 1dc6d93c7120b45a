"""The schema is data: a field is read when the file has it."""

import pytest

from examples.kafka.schema_file import Observed, run
from examples.playground import Playground

pytestmark = pytest.mark.spark


def test_a_field_is_read_as_soon_as_the_file_has_it(playground: Playground) -> None:
    assert run(playground) == Observed(
        parts=["metadata", "devices", "structures"],
        same_as_the_pipelines=True,
        new_fields={"battery_level"},
        levels=[87, 87, 87],
        camera_ids=3,
    )
