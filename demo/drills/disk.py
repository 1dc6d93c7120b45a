"""A drill that lets the pipeline's disk run full while queries write and commit."""

from collections.abc import Iterator

from contract.kafka.connections import open_consumer
from contract.progress import READ_BACK, ProgressLog
from contract.queries import Query
from demo.drills.drill import Drill
from demo.drills.running_demo import RunningDemo
from demo.drills.service_control import PIPELINE
from demo.drills.wait_for_demo import wait_for_demo

_NOTICED_S = 180.0


def _fill_disk(demo: RunningDemo) -> Iterator[str]:
    progress = ProgressLog(READ_BACK)

    def why_archive_restarts() -> str | None:
        progress.refresh(consumer)
        archive = progress.latest.get(Query.ARCHIVE)
        return archive.reason if archive and archive.state == "restarting" else None

    with open_consumer(demo.settings.kafka) as consumer, demo.full_disk(PIPELINE):
        yield "No file of the pipeline can grow any more."
        reason = wait_for_demo(why_archive_restarts, "a failed write of the archive", _NOTICED_S)
        yield f"archive is restarting: {reason}"
    yield "There is room again."


DRILLS = (
    Drill(
        name="full-disk",
        does="let every write of the pipeline fail, as on a full disk, until the archive notices",
        watch_for="on Live the query is restarting, with its reason, and the lag grows",
        heals="The query is started again, five times at most. With room it runs the same batch "
        "again; without, the pipeline ends and says to make room.",
        shows="what could not be written whole does not count as written",
        disturb=_fill_disk,
    ),
)
