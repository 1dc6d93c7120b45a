"""The page Proof with checks that end in different ways."""

import json
import sys
from datetime import UTC, datetime, timedelta

from contract.last_check import LastCheck, keep_last_check
from contract.polling import poll_until
from contract.verdict import Comparison, InjectedDirt, Verdict
from dashboard import sources
from demo.stack.ports import free_port
from tests.dashboard.page_content import text_of


def python(code: str) -> tuple[str, ...]:
    return (sys.executable, "-c", f"import sys; {code}")


def use_verdict(verdict: Verdict, code: int = 0) -> None:
    """Replace the check's command with a program that prints this verdict."""
    command = python(f"print({json.dumps(verdict.as_json())!r}); sys.exit({code})")
    sources.check_runner().command = command


def comparison(what: str, holds: bool, *examples: str) -> Comparison:
    return Comparison(what, "0", "0" if holds else "1", holds, list(examples))


def run_check(page) -> None:
    page.button(key="run").click().run()
    poll_until(lambda: sources.check_runner().current.ended_at, "the check's end", 30)
    page.run()
    assert not page.exception


def test_the_page_shows_the_comparisons_and_the_dirt_that_was_caught(open_page):
    page = open_page("proof").run()
    assert "No check has run" in text_of(page)
    use_verdict(Verdict([comparison("x", True)], dirt=[InjectedDirt("late", "counted", 7, 7)]))
    run_check(page)
    assert "**The check holds: 1 of 1 comparisons agree.**" in text_of(page)
    assert page.dataframe[0].value["what"].tolist() == ["x"]
    assert page.dataframe[1].value[["kind", "injected", "caught"]].to_numpy().tolist() == [
        ["late", 7, 7]
    ]


def test_the_page_shows_differences_first_and_their_examples_as_they_are(open_page):
    page = open_page("proof").run()
    both = [comparison("fine", True), comparison("rows missing", False, "offset 3 <b>is gone</b>")]
    use_verdict(Verdict(both, ["a note"]), 1)
    run_check(page)
    assert "1 of 2 comparisons differ" in text_of(page)
    assert "One difference:" in text_of(page)
    assert "offset 3 <b>is gone</b>" in "".join(code.value for code in page.code)
    assert page.dataframe[0].value["what"].tolist() == ["rows missing", "fine"]


def test_the_page_shows_why_a_check_failed_to_run(open_page):
    page = open_page("proof", bootstrap_servers=f"127.0.0.1:{free_port()}").run()
    sources.check_runner().command = python("sys.exit('no broker answers')")
    run_check(page)
    assert "The check failed to run" in text_of(page)
    assert "no broker answers" in text_of(page)


def test_a_check_that_a_viewer_stops_has_not_failed(open_page):
    page = open_page("proof").run()
    sources.check_runner().command = python(
        'import time; print(\'{"done": 1, "total": 2}\', file=sys.stderr, flush=True); '
        "time.sleep(600)"
    )
    page.button(key="run").click().run()
    poll_until(lambda: sources.check_runner().current.done, "progress", 30)
    page.run()
    page.button(key="stop").click().run()
    poll_until(lambda: sources.check_runner().current.ended_at, "the check's end", 30)
    page.run()
    assert "The check was stopped" in text_of(page)
    assert "No check has run yet" not in text_of(page)
    assert not page.error


def test_the_page_shows_which_packages_are_missing(open_page, monkeypatch):
    monkeypatch.setattr("dashboard.data.check_run.REQUIRED_PACKAGES", ("no_such_package",))
    page = open_page("proof").run()
    assert "The check cannot run here" in text_of(page)
    assert "no_such_package" in text_of(page)
    assert not page.button


def test_the_last_verdict_is_there_when_the_dashboard_has_been_started_again(open_page, tmp_path):
    noon = datetime(2026, 11, 20, 12, tzinfo=UTC)
    verdict = Verdict([comparison("x", True)])
    keep_last_check(tmp_path, LastCheck(noon - timedelta(seconds=14), noon, verdict))
    page = open_page("proof").run()
    assert not page.exception
    assert "**The check holds: 1 of 1 comparisons agree.**" in text_of(page)
    assert "and took 14 s" in text_of(page)
    assert "No check has run" not in text_of(page)
