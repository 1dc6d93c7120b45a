"""Drills that damage Delta tables, and one that maintains them while all goes on."""

from collections.abc import Iterator
from pathlib import Path

from contract.errors import UserError
from contract.lake import CAMERA
from demo.drills.drill import Drill
from demo.drills.running_demo import PIPELINE, RunningDemo

_BAD_LOCATIONS = (
    ("camera;place\n1;2\n", "other columns"),
    ("device_id,zip_code\na,1\na,2\n", "a camera twice"),
    ("device_id,zip_code\ndrill,94304\n", "other cameras"),
)


def _log(demo: RunningDemo) -> Path:
    return demo.lake / CAMERA / "_delta_log"


def _corrupt_checkpoint(demo: RunningDemo) -> Iterator[str]:
    newest = max(_log(demo).glob("*.checkpoint*.parquet"), default=None)
    if newest is None:
        raise UserError("The table camera has no checkpoint yet: run `nest maintain` first.")
    newest.write_bytes(b"this is no Parquet")
    newest.with_name(f".{newest.name}.crc").unlink(missing_ok=True)
    yield f"Overwrote {newest}."


def _remove_commit(demo: RunningDemo) -> Iterator[str]:
    commits = sorted(_log(demo).glob("*.json"))
    missing = commits[-2]
    missing.unlink()
    yield f"Deleted {missing}, one commit before the newest."


def _maintain(demo: RunningDemo) -> Iterator[str]:
    ended = demo.nest("maintain")
    if ended.exit_code:
        raise UserError(f"nest maintain ended with {ended.exit_code}:\n{ended.output}")
    yield "OPTIMIZE and VACUUM ran while the queries wrote."


def _second_pipeline(demo: RunningDemo) -> Iterator[str]:
    ended = demo.nest("pipeline", "--once")
    if ended.exit_code == 0 or "Another pipeline works" not in ended.output:
        raise UserError(f"A second pipeline had to be refused:\n{ended.output[-2000:]}")
    yield f"A second pipeline was refused: {ended.message}"


def _bad_locations(demo: RunningDemo) -> Iterator[str]:
    file = demo.settings.state / "drill_locations.csv"
    with demo.stopped(PIPELINE):
        for text, what in _BAD_LOCATIONS:
            file.write_text(text)
            ended = demo.nest("pipeline", "--once", NEST_DEVICE_LOCATIONS=str(file))
            if ended.exit_code == 0 or "Traceback" in ended.output:
                raise UserError(f"A table with {what} had to be refused:\n{ended.output[-2000:]}")
            yield f"With {what}: {ended.message}"
    file.unlink()


DRILLS = (
    Drill(
        "maintain-while-streaming",
        "compact and vacuum the tables while the queries write to them",
        "on Lake the number of files falls; the lag stays",
        "Nothing has to heal: the pipeline itself compacts, between the queries' commits.",
        "maintenance changes no row",
        _maintain,
    ),
    Drill(
        "second-pipeline",
        "start a second pipeline on the same checkpoints",
        "the second one names the first one's process",
        "Nothing has to heal: the first one goes on.",
        "only one pipeline works with a checkpoint",
        _second_pipeline,
    ),
    Drill(
        "bad-places",
        "start the pipeline with tables of places that cannot be right",
        "the pipeline names the line, the column or the difference; on Live the lag grows",
        "The pipeline is started with the right table again.",
        "counts never rest on two tables of places",
        _bad_locations,
    ),
)
