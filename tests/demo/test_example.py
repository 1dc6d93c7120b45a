"""`nest example` as its user runs it."""

from pathlib import Path

import pytest

from examples.registry import examples
from tests.fixtures.nest_command import nest


def test_the_list_has_every_example_with_its_rows() -> None:
    done = nest("example", COLUMNS="200")
    assert done.returncode == 0, done.stderr
    for example in examples().values():
        assert any(
            line.split()[: 1 + len(example.rows)] == [example.name, *example.rows]
            for line in done.stdout.splitlines()
        )


def test_an_unknown_example_is_one_sentence() -> None:
    done = nest("example", "starting-offset")
    assert done.returncode == 1
    first, *more = done.stderr.splitlines()
    assert first.startswith("There is no example starting-offset. Did you mean starting-offsets")
    assert not more


@pytest.mark.spark
@pytest.mark.kafka
def test_an_example_runs_on_a_kafka_of_its_own_and_leaves_nothing(tmp_path: Path) -> None:
    done = nest(
        "example", "starting-offsets", TMPDIR=str(tmp_path), NEST_SPARK_UI_PORT="0", timeout=300
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert "[4, 5]" in done.stdout
    assert "Traceback" not in done.stderr
    assert not list(tmp_path.glob("nest-example-*"))


@pytest.mark.spark
@pytest.mark.kafka
def test_an_example_says_of_errors_what_it_has_to_say_and_kafkas_client_nothing() -> None:
    done = nest("example", "acknowledged-producer", NEST_SPARK_UI_PORT="0", timeout=300)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "KafkaTimeoutError" in done.stdout
    assert "kafka." not in done.stderr


@pytest.mark.spark
def test_an_example_prints_its_own_words_only_and_nothing_of_deltas() -> None:
    done = nest("example", "row-changes", NEST_SPARK_UI_PORT="0", timeout=300)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "VACUUM after 0 seconds" in done.stdout
    assert "Deleted" not in done.stdout
