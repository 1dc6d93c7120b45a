"""Drills that damage checkpoints; the pipeline refuses to start, and one command mends each.

Spark would stop with words of its own, or go on and leave messages out.
"""

import shutil
from collections.abc import Iterator
from functools import partial
from pathlib import Path

from contract.errors import UserError
from contract.queries import Query
from demo.drills.archive_progress import newest_number
from demo.drills.drill import Drill, Refusal
from demo.drills.running_demo import RunningDemo

_PIPELINE_SAYS = "the pipeline names the file and the command; on Live the lag grows meanwhile"
_TORN = "a file of the checkpoint is torn"
_NOTHING_LOST = "all messages stay in nest-logs, so every table and count can be made again"
_HEALS = {
    Query.ARCHIVE: "It writes what the tables lack, and makes a checkpoint that goes on there.",
    Query.STATS: "It counts again from the first message.",
}
"""What the repair of each query does."""
_TAKEN_BACK = 3
"""Batches that an older copy of the checkpoint lacks."""


def _empty(demo: RunningDemo, query: Query, log: str) -> Iterator[str]:
    """Empty the newest file of a checkpoint's log, as a full disk or a power failure does."""
    folder = demo.checkpoints / query / log
    file = folder / str(newest_number(folder)) if folder.is_dir() else folder
    yield _cut(file, 0)


def _tear_state(demo: RunningDemo) -> Iterator[str]:
    """Cut the state that the next batch of the counts begins with, in each partition."""
    version = newest_number(demo.checkpoints / Query.STATS / "commits") + 1
    files = sorted((demo.checkpoints / Query.STATS / "state").rglob(f"{version}.*"))
    for file in files:
        _cut(file, file.stat().st_size // 2)
    yield f"Cut {len(files)} files of the state in half, such as {files[0]}."


def _delete(demo: RunningDemo) -> Iterator[str]:
    shutil.rmtree(demo.checkpoints / Query.ARCHIVE)
    yield f"Deleted {demo.checkpoints / Query.ARCHIVE}."


def _put_back_older(demo: RunningDemo) -> Iterator[str]:
    """Remove the newest batches from a checkpoint, as a backup that is put back lacks them."""
    folder = demo.checkpoints / Query.ARCHIVE
    newest = newest_number(folder / "offsets")
    if newest < _TAKEN_BACK:
        raise UserError(
            f"The archive has written {newest + 1} batches so far, and this drill takes "
            f"{_TAKEN_BACK} back. Nothing was changed. Try it again in some minutes."
        )
    for log in ("offsets", "commits"):
        for file in (folder / log).iterdir():
            name = file.name.strip(".").removesuffix(".crc")
            if name.isdigit() and int(name) > newest - _TAKEN_BACK:
                file.unlink()
    yield f"Took the checkpoint of the archive back from batch {newest} to {newest - _TAKEN_BACK}."


def _cut(file: Path, size: int) -> str:
    """Cut a file, and delete the checksum that Hadoop keeps beside it, as a crash may leave it."""
    with file.open("r+b") as opened:
        opened.truncate(size)
    file.with_name(f".{file.name}.crc").unlink(missing_ok=True)
    return f"Emptied {file}." if not size else f"Cut {file} to {size:,} bytes."


def _torn(name: str, what: str, log: str, query: Query = Query.ARCHIVE) -> Drill:
    return Drill(
        name=name,
        does=f"empty the newest file of {what}",
        watch_for=_PIPELINE_SAYS,
        heals=_HEALS[query],
        shows=_NOTHING_LOST,
        disturb=partial(_empty, query=query, log=log),
        refusal=Refusal(
            pattern=rf"is torn.*nest repair {query}",
            says=_TORN,
            mend=(("repair", query),),
        ),
    )


DRILLS = (
    _torn("torn-offsets", "the planned batches in the archive's checkpoint", "offsets"),
    _torn("torn-commit", "the committed batches in the archive's checkpoint", "commits"),
    _torn("torn-metadata", "the query's id in the archive's checkpoint", "metadata"),
    _torn(
        "torn-counts-offsets",
        "the planned batches in the checkpoint of the counts",
        "offsets",
        Query.STATS,
    ),
    Drill(
        name="torn-state",
        does="cut the newest files of the state of the counts in half",
        watch_for=_PIPELINE_SAYS,
        heals=_HEALS[Query.STATS],
        shows=_NOTHING_LOST,
        disturb=_tear_state,
        refusal=Refusal(
            pattern=r"nest repair stats",
            says="the state of stats cannot be read",
            mend=(("repair", Query.STATS),),
        ),
    ),
    Drill(
        name="checkpoint-gone",
        does="delete the archive's checkpoint, and leave its tables",
        watch_for=_PIPELINE_SAYS,
        heals=_HEALS[Query.ARCHIVE],
        shows=_NOTHING_LOST,
        disturb=_delete,
        refusal=Refusal(
            pattern=r"nest repair archive",
            says="the table has rows, and the checkpoint of the query that wrote them is gone",
            mend=(("repair", Query.ARCHIVE),),
        ),
    ),
    Drill(
        name="checkpoint-old",
        does="put an older copy of the archive's checkpoint back",
        watch_for=_PIPELINE_SAYS,
        heals=_HEALS[Query.ARCHIVE],
        shows=_NOTHING_LOST,
        disturb=_put_back_older,
        refusal=Refusal(
            pattern=r"older than the table.*nest repair archive",
            says="the checkpoint is older than the table",
            mend=(("repair", Query.ARCHIVE),),
        ),
    ),
)
