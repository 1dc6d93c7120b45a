"""A query under supervision: whether it runs, has to wait, has ended or has caught up."""

import json
import time
from collections.abc import Callable
from dataclasses import dataclass

from pyspark.sql.streaming.query import StreamingQuery

from contract.queries import Query

REAL_TIME_LASTED_S = 60.0
"""After so long in real-time mode, whose batches last for minutes, a failure is a new one."""
CATCHES_UP_WITHIN_S = 120.0
"""The next query waits for so long: this one may have nothing to read, or never catch up."""


@dataclass
class SupervisedQuery:
    """A query, its stream if it has been started, and how often it has died."""

    name: Query
    start: Callable[[], StreamingQuery]
    is_real_time: bool
    """Whether its batches last for minutes, so that none tells for long that it does well."""
    after: "SupervisedQuery | None" = None
    stream: StreamingQuery | None = None
    started_at: float = 0.0
    failures: int = 0
    restart_at: float = 0.0
    waits_for_broker: bool = False
    has_finished: bool = False

    @property
    def is_running(self) -> bool:
        """Whether it has been started and has not ended since."""
        return self.stream is not None and self.stream.isActive

    @property
    def has_just_ended(self) -> bool:
        """Whether it has ended, and nothing has been decided about it yet."""
        return self.stream is not None and not self.is_running and not self.restart_at

    def begin(self) -> None:
        """Start it, for the first time or again."""
        self.stream, self.restart_at = None, 0.0
        self.stream = self.start()
        self.started_at = time.monotonic()
        self.waits_for_broker = False

    def note_end(self) -> None:
        """Note that it has finished; raise what it died of."""
        error = self.stream and self.stream.exception()
        if error:
            raise error
        self.has_finished = True

    def has_to_wait(self, *, for_end: bool) -> bool:
        """Return whether the query before it has not ended, or not come far enough, yet.

        Only its first start waits. One that has died since is started again at once.
        """
        before = self.after
        if before is None or before.has_finished or self.started_at:
            return False
        waited_enough = (
            before.stream is not None and time.monotonic() - before.started_at > CATCHES_UP_WITHIN_S
        )
        return for_end or not (before.has_caught_up or waited_enough)

    @property
    def has_done_something(self) -> bool:
        """Whether it finished a batch since its start, or ran for long in a batch of minutes."""
        if self.stream is None:
            return False
        if self.is_real_time:
            return time.monotonic() - self.started_at > REAL_TIME_LASTED_S
        return self.stream.lastProgress is not None

    @property
    def has_caught_up(self) -> bool:
        """Whether it has read all that was there when its last batch began, and is in no batch.

        A source that does not say what was there is taken to be read.
        """
        if self.stream is None or not self.has_done_something:
            return False
        progress = self.stream.lastProgress
        if self.stream.status["isTriggerActive"] or progress is None:
            return False
        sources = json.loads(progress.json)["sources"]
        return all(each.get("latestOffset") in (None, each["endOffset"]) for each in sources)
