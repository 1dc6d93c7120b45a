"""A stream is joined with places from the catalog, a file or a database by the same step."""

import pytest

from examples.kafka.catalog_join import run
from examples.playground import Playground

pytestmark = [pytest.mark.spark, pytest.mark.kafka]


def test_the_join_gives_the_same_rows_wherever_the_places_are(playground: Playground) -> None:
    observed = run(playground)
    assert len(observed.catalog) == 21
    assert observed.catalog[:5] == ["94025"] * 4 + ["94040"]
    assert observed.file == observed.catalog
    assert observed.jdbc == observed.catalog
    assert observed.changed == {
        "catalog, Parquet": ["unknown", "unknown", "94304"],
        "catalog, Delta": ["unknown", "94304", "94304"],
        "file": ["unknown", "unknown", "94304"],
        "JDBC": ["unknown", "94304", "94304"],
    }
