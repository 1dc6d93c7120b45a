"""Drills that damage Delta tables, and one that maintains them while all goes on."""

from collections.abc import Iterator
from pathlib import Path

from deltalake import DeltaTable

from contract.errors import UserError
from contract.lake import CAMERA
from contract.queries import Query
from demo.drills.drill import Disturb, Drill, Refusal
from demo.drills.running_demo import RunningDemo
from demo.drills.service_control import PIPELINE

_TAKEN_BACK = 3
"""Commits that an older copy of the table lacks."""
_BAD_LOCATIONS = (
    ("camera;place\n1;2\n", "other columns"),
    ("device_id,zip_code\na,1\na,2\n", "a camera twice"),
    ("device_id,zip_code\ndrill,94304\n", "other cameras"),
)


def _log(demo: RunningDemo) -> Path:
    return demo.lake / CAMERA / "_delta_log"


def _corrupt_checkpoint(demo: RunningDemo) -> Iterator[str]:
    if not _checkpoints(demo):
        DeltaTable(demo.lake / CAMERA).create_checkpoint()
        yield "Wrote a checkpoint: the table had none yet."
    newest = max(_checkpoints(demo))
    newest.write_bytes(b"this is no Parquet")
    newest.with_name(f".{newest.name}.crc").unlink(missing_ok=True)
    yield f"Overwrote {newest}."


def _checkpoints(demo: RunningDemo) -> list[Path]:
    return list(_log(demo).glob("*.checkpoint*.parquet"))


def _newest_commits(demo: RunningDemo, count: int) -> list[Path]:
    """Return the newest commits, oldest first; UserError if the table has not so many."""
    commits = sorted(_log(demo).glob("*.json"))
    if len(commits) < count:
        raise UserError(
            f"This drill needs {count} commits of the table {CAMERA}, which has had "
            f"{len(commits)} so far. Nothing was changed. Try it again in some minutes."
        )
    return commits[-count:]


def _delete_commit(demo: RunningDemo) -> Iterator[str]:
    missing = _newest_commits(demo, 2)[0]
    missing.unlink()
    yield f"Deleted {missing}, the commit before the newest."


def _cut_commit(demo: RunningDemo) -> Iterator[str]:
    newest = max(_log(demo).glob("*.json"))
    _without_checksums(newest)
    newest.write_bytes(newest.read_bytes()[:100])
    yield f"Cut {newest} to 100 bytes."


def _delete_newest_commits(demo: RunningDemo) -> Iterator[str]:
    newest = _newest_commits(demo, _TAKEN_BACK + 1)[1:]
    for commit in newest:
        _without_checksums(commit)
        commit.unlink()
    yield f"Deleted the {len(newest)} newest commits of camera, as an older backup lacks them."


def _without_checksums(commit: Path) -> None:
    """Delete what Delta and Hadoop keep beside a commit to tell that it is whole."""
    for file in (commit.with_suffix(".crc"), commit.with_name(f".{commit.name}.crc")):
        file.unlink(missing_ok=True)


def _maintain(demo: RunningDemo) -> Iterator[str]:
    demo.require_success("maintain")
    yield "OPTIMIZE and VACUUM ran while the queries wrote."


def _forget(demo: RunningDemo) -> Iterator[str]:
    command = ("forget", "--yes", "--device", demo.known_device())
    refused = demo.require_refusal(*command, says="could write the home again")
    yield f"While the queries write, it is refused: {refused.message}"
    with demo.stopped(PIPELINE):
        yield "The pipeline is stopped."
        demo.require_success(*command)
        yield "Then every row and every file of one camera is deleted."
    yield "The streams on the tables go on after the deletion."


def _second_pipeline(demo: RunningDemo) -> Iterator[str]:
    refused = demo.require_refusal("pipeline", "--once", says="Another pipeline, or")
    yield f"A second pipeline was refused: {refused.message}"


def _bad_locations(demo: RunningDemo) -> Iterator[str]:
    file = demo.checkpoints / "drill_locations.csv"
    with demo.stopped(PIPELINE):
        try:
            for text, what in _BAD_LOCATIONS:
                file.write_text(text)
                ended = demo.nest(f"NEST_DEVICE_LOCATIONS={file}", "pipeline", "--once")
                if ended.exit_code == 0 or "Traceback" in ended.errors:
                    raise UserError(
                        f"A table with {what} had to be refused:\n{ended.end_of_errors}"
                    )
                yield f"With {what}: {ended.message}"
        finally:
            file.unlink(missing_ok=True)


_NEW_TABLES = (("repair", Query.ARCHIVE, "--new-tables"),)
_PIPELINE_SAYS = "the pipeline names the table and the command; on Live the lag grows meanwhile"
_HEALS = "It sets the damaged tables aside, and writes new ones from nest-logs."
_NOTHING_LOST = "the lake can be made again from nest-logs, row by row the same"


def _damaged_log(name: str, does: str, disturb: Disturb) -> Drill:
    refusal = Refusal(
        pattern=r"The log of the table .*camera is damaged",
        says="the log of the table is damaged",
        mend=_NEW_TABLES,
    )
    return Drill(
        name=name,
        does=does,
        watch_for=_PIPELINE_SAYS,
        heals=_HEALS,
        shows=_NOTHING_LOST,
        disturb=disturb,
        refusal=refusal,
    )


DRILLS = (
    _damaged_log(
        "log-gap", "delete a commit in the middle of the log of the table camera", _delete_commit
    ),
    _damaged_log("torn-log", "cut the newest commit of the table camera", _cut_commit),
    _damaged_log(
        "bad-delta-checkpoint",
        "overwrite the newest checkpoint in the log of the table camera",
        _corrupt_checkpoint,
    ),
    Drill(
        name="table-old",
        does="put an older copy of the table camera back",
        watch_for=_PIPELINE_SAYS,
        heals="It writes what the table lacks, and makes a checkpoint that goes on there.",
        shows=_NOTHING_LOST,
        disturb=_delete_newest_commits,
        refusal=Refusal(
            pattern=r"lacks what the query archive",
            says="the table lacks what the query has written",
            mend=(("repair", Query.ARCHIVE),),
        ),
    ),
    Drill(
        name="maintain-while-streaming",
        does="compact and vacuum the tables while the queries write to them",
        watch_for="on Lake the number of files falls; the lag stays",
        heals="Nothing has to heal: the pipeline itself compacts, between the queries' commits.",
        shows="maintenance changes no row",
        disturb=_maintain,
    ),
    Drill(
        name="forget-while-streaming",
        does="forget a camera while the queries write, and once more while the pipeline is stopped",
        watch_for="the first time it is refused; "
        "after the second the page Cameras does not know the camera",
        heals="Nothing has to heal: the streams on the tables pass over the deletion.",
        shows="what a person asks to be deleted is gone from every table, and nothing else is",
        disturb=_forget,
    ),
    Drill(
        name="second-pipeline",
        does="start a second pipeline on the same checkpoints",
        watch_for="the second one names the first one's process",
        heals="Nothing has to heal: the first one goes on.",
        shows="only one pipeline works with a checkpoint",
        disturb=_second_pipeline,
    ),
    Drill(
        name="bad-places",
        does="start the pipeline with tables of places that cannot be right",
        watch_for="the pipeline names the line, the column or the difference; "
        "on Live the lag grows",
        heals="The pipeline is started with the right table again.",
        shows="counts never rest on two tables of places",
        disturb=_bad_locations,
    ),
)
