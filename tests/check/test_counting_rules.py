"""The check refuses to judge counts by other rules than those by which they are made."""

from datetime import timedelta
from pathlib import Path

import pytest

from check import run_check
from contract.errors import UserError
from contract.settings import Settings
from tests.check.verdicts import failing
from tests.sample.small_run import SmallRun, small_run

pytestmark = pytest.mark.kafka

RULES = {
    "NEST_LATENESS": "1 hour",
    "NEST_CLOCK_SKEW": "5 minutes",
    "table than NEST_DEVICE_LOCATIONS": "3-fcae5a31ee5ab7ec",
}


def run_with_rules(query: str, **changed: str) -> SmallRun:
    """A run of which a query says by which rules it counts: those of the check but for some."""
    run = small_run()
    run.committed.setdefault(query, {})
    run.rules[query] = {name: changed.get(name, value) for name, value in RULES.items()}
    return run


def refusal(settings: Settings) -> str:
    with pytest.raises(UserError) as error:
        run_check(settings)
    return str(error.value)


@pytest.mark.parametrize("query", ["stats", "sightings"])
def test_the_same_rules_are_judged_by(fresh_topics: str, tmp_path: Path, query: str) -> None:
    run = run_with_rules(query)
    assert failing(run_check(run.write(fresh_topics, tmp_path))) == {}


@pytest.mark.parametrize("query", ["stats", "sightings"])
def test_another_lateness_is_named_with_both_values_and_what_to_do(
    fresh_topics: str, tmp_path: Path, query: str
) -> None:
    run = run_with_rules(query)
    settings = run.write(fresh_topics, tmp_path).model_copy(
        update={"lateness": timedelta(minutes=90)}
    )
    assert refusal(settings) == (
        f"The query {query} counts by NEST_LATENESS=1 hour, and this check would judge by "
        "NEST_LATENESS=90 minutes. Set it as the pipeline has it. If the pipeline is to count by "
        "NEST_LATENESS=90 minutes, stop it, rebuild the counts from the first message with "
        "`nest pipeline --rebuild-counts`, and check again."
    )


def test_another_clock_skew_concerns_quarantine_too(fresh_topics: str, tmp_path: Path) -> None:
    run = run_with_rules("stats", NEST_CLOCK_SKEW="30 seconds")
    message = refusal(run.write(fresh_topics, tmp_path))
    assert "by NEST_CLOCK_SKEW=30 seconds, and this check would judge by NEST_CLOCK_SKEW=5 min" in (
        message
    )
    assert message.endswith(
        " The table quarantine is to be written anew then, too: `nest repair archive --new-tables`."
    )


@pytest.mark.parametrize(
    ("digest", "difference"),
    [
        ("4-0123456789abcdef", "that one has 4 devices, this one 3"),
        ("3-0123456789abcdef", "that one has 3 devices, too, but others or elsewhere"),
    ],
)
def test_another_table_of_device_locations_is_named(
    fresh_topics: str, tmp_path: Path, digest: str, difference: str
) -> None:
    run = run_with_rules("stats", **{"table than NEST_DEVICE_LOCATIONS": digest})
    settings = run.write(fresh_topics, tmp_path)
    assert refusal(settings).startswith(
        f"The query stats counts with another table than NEST_DEVICE_LOCATIONS="
        f"{settings.device_locations}: {difference}. Set it as the pipeline has it."
    )


def test_rules_that_the_newest_progress_does_not_have_are_not_judged(
    fresh_topics: str, tmp_path: Path
) -> None:
    run = small_run()
    run.rules["stats"] = {"NEST_LATENESS": "1 hour"}
    assert failing(run_check(run.write(fresh_topics, tmp_path))) == {}


def test_rules_of_sightings_are_not_judged_where_that_query_is_off(
    fresh_topics: str, tmp_path: Path
) -> None:
    run = run_with_rules("sightings", NEST_LATENESS="2 hours")
    settings = run.write(fresh_topics, tmp_path)
    assert "The query sightings" in refusal(settings)
    assert failing(run_check(settings.model_copy(update={"sightings": False}))) == {}
