"""What is said of a contender's results after a kill."""

from bench.recovery import describe_differences


def test_results_that_a_kill_does_not_change_are_exact() -> None:
    found = describe_differences(
        rows=400, distinct=400, expected=400, counted=60, expected_counted=60
    )

    assert found == "exact"


def test_rows_that_were_written_again_are_doubles() -> None:
    assert describe_differences(1400, 400, 400, 60, 60) == "doubles 1,000 rows"


def test_as_many_doubles_as_losses_do_not_hide_each_other() -> None:
    assert describe_differences(400, 390, 400, 60, 60) == "doubles 10 rows, loses 10 rows"


def test_rows_and_sightings_are_judged_apart() -> None:
    assert (
        describe_differences(390, 390, 400, 61, 60) == "loses 10 rows, counts 1 sightings too many"
    )
