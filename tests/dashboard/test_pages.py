"""Every other page against a real Kafka and a real lake: empty, filling, broken and full."""

import json
import shutil
import sys
from datetime import timedelta
from pathlib import Path

import pytest
from deltalake import DeltaTable

from contract.polling import poll_until
from dashboard import sources
from demo.stack.ports import free_port
from tests.dashboard.page_content import figures, refresh_until, says, words
from tests.dashboard.progress_records import progress, send_messages, tell
from tests.dashboard.sample_lake import after_noon, archive, bad, camera, event, quarantine

NOBODY = f"127.0.0.1:{free_port()}"


def has_figures(page) -> bool:
    return bool(page.metric)


# ---- Live ----


@pytest.mark.kafka
def test_the_live_page_says_that_no_query_has_been_heard_of(open_page, fresh_topics):
    page = open_page("live", bootstrap_servers=fresh_topics)
    refresh_until(page, says("No query has been heard of yet"), "the empty state")
    assert figures(page)["Freshness"] == "not yet"


@pytest.mark.kafka
def test_the_live_page_shows_each_query_its_state_and_how_fresh_the_counts_are(
    open_page, fresh_topics
):
    tell(fresh_topics, progress("stats", 0), progress("archive", 0))
    send_messages(fresh_topics, 4, 4, 4, 4)
    tell(
        fresh_topics,
        progress("stats", 4, state_rows=1234, watermark="2026-11-20T12:00:00.000Z"),
        progress("archive", 1, state="restarting", reason="boom access_token=c.secret"),
    )
    page = open_page("live", bootstrap_servers=fresh_topics)
    refresh_until(page, lambda page: figures(page).get("State rows") == "1,234", "the state")
    assert figures(page)["Freshness"].startswith(("3.", "4."))
    assert "running" in words(page)
    assert "restarting" in words(page)
    assert "boom access_token=***" in words(page)
    assert "c.secret" not in words(page)
    tell(fresh_topics, progress("stats", 4, state="stopped"))
    refresh_until(page, says("stopped"), "the stop")


def test_the_live_page_says_where_it_looked_for_kafka(open_page):
    page = open_page("live", bootstrap_servers=NOBODY)
    refresh_until(page, says("Kafka cannot be read yet"), "the notice")
    assert not page.metric


# ---- Cameras ----


def test_the_cameras_page_waits_for_the_lake_and_fills_by_itself(open_page, tmp_path: Path):
    page = open_page("cameras", lake=str(tmp_path))
    refresh_until(page, says("The lake cannot be read yet"), "the notice")
    archive(tmp_path)
    refresh_until(page, says("The archive is empty"), "the empty state")
    archive(tmp_path, camera("a", 0), camera("b", 0, online=False))
    refresh_until(page, has_figures, "the figures")
    assert (figures(page)["Online"], figures(page)["Offline"]) == ("1", "1")
    archive(tmp_path, camera("b", 1))
    refresh_until(page, lambda page: figures(page)["Offline"] == "0", "the camera's return")
    assert "Every camera is online." in words(page)
    assert "this is how the cameras were then" in words(page)
    options = page.selectbox(key="chosen camera").options
    assert sorted(options) == ["a Camera (a)", "b Camera (b)"]


def test_the_offline_list_has_what_an_operations_centre_wants(open_page, tmp_path: Path):
    places = tmp_path / "places.csv"
    places.write_text("device_id,zip_code,city\na,01002,Amherst\n")
    archive(
        tmp_path,
        camera("a", 60, online=False, last_is_online_change=after_noon(10)),
        camera("b", 60, online=False, last_is_online_change=after_noon(50), name_long="<b>x</b>"),
    )
    page = open_page("cameras", lake=str(tmp_path), device_locations=str(places))
    refresh_until(page, lambda page: page.dataframe, "the list")
    rows = page.dataframe[0].value
    assert rows["name"].tolist() == ["<b>x</b>", "a Camera"]
    assert rows["zip_code"].tolist()[1] == "01002"
    assert rows["offline_for"].tolist() == ["10 min", "50 min"]
    assert rows["offline_since"].tolist()[1] == after_noon(10)


def test_one_cameras_history_is_shown_and_its_id_is_kept_in_the_address(open_page, tmp_path: Path):
    archive(tmp_path, camera("a", 0, last_event=event(-5)), camera("b", 0, last_event=event(-6)))
    page = open_page("cameras", lake=str(tmp_path))
    page.query_params["camera"] = "b"
    refresh_until(page, lambda page: len(page.dataframe) == 1, "the history")
    assert page.dataframe[0].value["what"].tolist() == ["Person seen", "Came online"]
    page.selectbox(key="chosen camera").set_value("a").run()
    assert page.query_params["camera"] in ("a", ["a"])
    assert page.dataframe[0].value["moment"].tolist()[0] == after_noon(-5)


def test_while_the_lake_is_broken_the_last_known_cameras_stay_and_it_recovers(
    open_page, tmp_path: Path
):
    lake, aside = tmp_path / "lake", tmp_path / "aside"
    archive(lake, camera("a", 0))
    page = open_page("cameras", lake=str(lake))
    refresh_until(page, has_figures, "the figures")
    shutil.move(lake, aside)
    refresh_until(page, says("**The lake is away.**"), "the notice")
    assert figures(page)["Cameras"] == "1"
    shutil.move(aside, lake)
    archive(lake, camera("b", 1))
    refresh_until(page, lambda page: figures(page)["Cameras"] == "2", "recovery")
    assert "is away" not in words(page)


# ---- Lake ----


def test_the_lake_page_shows_tables_history_and_what_compaction_did(open_page, tmp_path: Path):
    for minute in range(3):
        archive(tmp_path, camera("a", minute))
    quarantine(tmp_path)
    page = open_page("lake", lake=str(tmp_path))
    refresh_until(page, has_figures, "the figures")
    assert page.metric[1].value == "3"
    assert len(page.dataframe[0].value) == 3
    DeltaTable(tmp_path / "camera").optimize.compact()
    refresh_until(page, says("put 3 files together to 1"), "the compaction")
    assert page.dataframe[0].value["operation"].tolist()[0] == "OPTIMIZE"


def test_the_lake_page_shows_a_table_as_of_a_version(open_page, tmp_path: Path):
    archive(tmp_path, camera("a", 0))
    archive(tmp_path, camera("a", 1), camera("b", 1))
    page = open_page("lake", lake=str(tmp_path))
    refresh_until(page, lambda page: page.number_input, "the choice of a version")
    page.number_input(key="version").set_value(0).run()
    assert "**Version 0**" in words(page)
    assert page.dataframe[-1].value["device_id"].tolist() == ["a"]
    page.number_input(key="version").set_value(99).run()
    assert "This version cannot be read" in words(page)
    assert not page.exception


def test_the_lake_page_shows_a_table_as_of_a_time(open_page, tmp_path: Path):
    archive(tmp_path, camera("a", 0))
    page = open_page("lake", lake=str(tmp_path))
    refresh_until(page, lambda page: page.number_input, "the choice of a version")
    page.segmented_control(key="by").set_value("time").run()
    now = page.datetime_input(key="at").value
    page.datetime_input(key="at").set_value(now + timedelta(minutes=1)).run()
    assert "**Version 0**" in words(page)
    page.datetime_input(key="at").set_value(now - timedelta(days=1)).run()
    assert "The table had no version then" in words(page)
    assert not page.exception


def test_the_lake_page_shows_the_quarantine_as_it_is_and_without_credentials(
    open_page, tmp_path: Path
):
    archive(tmp_path, camera("a", 0))
    raw = '{"access_token":"c.secret","x":"<script>alert(1)</script> **b** $x$"'
    quarantine(tmp_path, bad("malformed", 0, raw=raw), bad("malformed", 1, raw=None))
    page = open_page("lake", lake=str(tmp_path))
    refresh_until(page, lambda page: figures(page).get("malformed") == "2", "the reasons")
    shown = [code.value for code in page.code]
    assert any("<script>alert(1)</script> **b** $x$" in text for text in shown)
    assert not any("c.secret" in text for text in shown)
    assert not any("script" in element.value for element in page.markdown)


def test_the_lake_page_says_that_a_table_is_broken_and_keeps_what_it_knows(
    open_page, tmp_path: Path
):
    archive(tmp_path, camera("a", 0))
    page = open_page("lake", lake=str(tmp_path))
    refresh_until(page, has_figures, "the figures")
    broken = tmp_path / "camera" / "_delta_log" / f"{1:020}.json"
    broken.write_text("broken")
    refresh_until(page, says("**The lake is away.**"), "the notice")
    assert "cannot be read" in words(page)
    assert page.metric[1].value == "1"
    broken.unlink()
    archive(tmp_path, camera("a", 1))
    refresh_until(page, lambda page: page.metric[1].value == "2", "recovery")


def test_the_lake_page_waits_for_the_first_table_and_then_offers_it(open_page, tmp_path: Path):
    page = open_page("lake", lake=str(tmp_path))
    refresh_until(page, says("There is no table yet"), "the notice")
    assert not page.metric
    archive(tmp_path, camera("a", 0))
    refresh_until(page, has_figures, "the figures")
    assert page.selectbox(key="table").options == ["camera"]


# ---- Proof ----


def prove_with(verdict: dict, code: int = 0) -> None:
    """Let the page's check be a program that gives this verdict."""
    text = f"import sys; print({json.dumps(verdict)!r}); sys.exit({code})"
    sources.check().command = (sys.executable, "-c", text)


def compared(what: str, holds: bool, *examples: str) -> dict:
    return {"what": what, "expected": "0", "found": "1", "holds": holds, "examples": examples}


def run_check(page) -> None:
    page.button(key="run").click().run()
    poll_until(lambda: sources.check().proof.ended, "the check's end", 30)
    page.run()
    assert not page.exception


def test_the_proof_page_shows_what_was_compared_and_the_dirt_that_was_caught(open_page):
    page = open_page("proof").run()
    assert "No check has been run" in words(page)
    dirt = {"kind": "late", "injected": 7, "caught": 7, "becomes": "counted"}
    prove_with({"holds": True, "comparisons": [compared("x", True)], "notes": [], "dirt": [dirt]})
    run_check(page)
    assert "**The check holds: all 1 comparisons.**" in words(page)
    assert page.dataframe[0].value["what"].tolist() == ["x"]
    assert page.dataframe[1].value[["kind", "injected", "caught"]].to_numpy().tolist() == [
        ["late", 7, 7]
    ]


def test_the_proof_page_names_what_differs(open_page):
    page = open_page("proof").run()
    both = [compared("fine", True), compared("rows missing", False, "offset 3 <b>is gone</b>")]
    prove_with({"holds": False, "comparisons": both, "notes": ["a note"], "dirt": []}, 1)
    run_check(page)
    assert "1 of 2 comparisons differ" in words(page)
    assert "offset 3 <b>is gone</b>" in "".join(code.value for code in page.code)
    assert page.dataframe[0].value["what"].tolist() == ["rows missing", "fine"]


def test_the_proof_page_says_why_a_check_could_not_be_made(open_page):
    page = open_page("proof", bootstrap_servers=NOBODY).run()
    sources.check().command = (sys.executable, "-c", "import sys; sys.exit('no broker answers')")
    run_check(page)
    assert "The check could not be made" in words(page)
    assert "no broker answers" in words(page)


def test_the_proof_page_says_when_the_check_is_not_installed(open_page, monkeypatch):
    monkeypatch.setattr("dashboard.data.check_run.NEEDED", ("no_such_package",))
    page = open_page("proof").run()
    assert "The check cannot be run from this page" in words(page)
    assert not page.button
