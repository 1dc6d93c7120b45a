"""The checkpoints of the streaming queries: where they are, and what Spark keeps in them."""

import json
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, NamedTuple

from py4j.protocol import Py4JJavaError
from pyspark.sql import SparkSession

from contract.checkpoint_sidecars import CheckpointSidecar
from contract.errors import UserError
from contract.queries import Query
from contract.settings import Settings
from contract.topics import NEST_LOGS
from pipeline.spark.failures import is_transient
from pipeline.spark.storage import Storage

_LOGS = ("offsets", "commits")
"""Folders of a checkpoint: a numbered file for each batch that is planned, and committed."""


class Batches(NamedTuple):
    """The newest micro-batch of a checkpoint; -1 before the first one.

    A batch that is planned and not committed runs again at the next start, from the same offsets.
    """

    planned: int
    committed: int


@dataclass(frozen=True)
class Checkpoint:
    """The checkpoint of a streaming query, and the small files that we keep beside it."""

    spark: SparkSession
    settings: Settings
    query: Query

    @property
    def uri(self) -> str:
        """Where it is."""
        return f"{self.settings.checkpoints}/{self.query}"

    def beside(self, what: CheckpointSidecar) -> Storage:
        """Return one of the files beside it."""
        return Storage(self.spark, f"{self.uri}.{what}")

    def has_begun(self) -> bool:
        """Return whether the query has begun, so that its next start goes on from here.

        Raises UserError if there are batches, and only the query's id is gone.
        """
        if self._metadata.exists():
            return True
        if any(self._batches(log) for log in _LOGS):
            raise self._torn(self._metadata)
        return False

    def query_id(self) -> str:
        """Return the id that Spark gave the query at its first start; restarts do not change it.

        Raises UserError if it is torn or gone.
        """
        with self.torn_if_unreadable(self._metadata):
            return str(json.loads(self._metadata.read_text())["id"])

    def newest_batches(self) -> Batches:
        """Return the newest planned and committed batch.

        Raises UserError if a file that Spark would read at the start is torn or gone: of the
        planned batches it reads the two newest.
        """
        self.query_id()
        planned, committed = (max(self._batches(log), default=-1) for log in _LOGS)
        newest = max(planned, committed)
        for batch in range(max(0, newest - 1), newest + 1):
            self._require_whole(f"offsets/{batch}", documents=2)
        if committed >= 0:
            self._require_whole(f"commits/{committed}", documents=1)
        return Batches(planned, committed)

    def clear_unplanned(self) -> None:
        """Delete what a kill has left of a query that had not planned its first batch.

        Spark refuses to begin where its folders are not empty, even if a half-written file is all.
        Raises UserError if a batch has been committed: then the planned ones have been deleted.
        """
        if self._batches("offsets"):
            return
        if committed := self._batches("commits"):
            raise self._torn(self._file(f"offsets/{max(committed)}"))
        for folder in (*_LOGS, "state"):
            self._file(folder).delete()

    def delete(self) -> None:
        """Delete it, and what the query began with: its next start is a first start.

        First where Spark keeps at which offsets the query began: left alone by a kill in between,
        it would outweigh the offsets at which the next start is told to begin.
        """
        self._file("sources").delete()
        Storage(self.spark, self.uri).delete()
        self.beside(CheckpointSidecar.ORIGIN).delete()

    def committed_offsets(self) -> dict[int, int]:
        """Return by partition of nest-logs where the newest committed batch ended.

        Empty before the first one.
        """
        committed = self.newest_batches().committed
        if committed < 0:
            return {}
        offsets = self.source_offset(committed).get(NEST_LOGS.name, {})
        return {int(partition): offset for partition, offset in offsets.items()}

    def source_offset(self, batch: int) -> dict[str, Any]:
        """Return where a batch ends in the query's only source, as the source writes it."""
        offset: dict[str, Any] = json.loads(self._planned(batch)[-1])
        return offset

    def kept_configuration(self) -> dict[str, str]:
        """Return Spark's settings that the newest planned batch has kept; empty before the first.

        The next start takes them in place of the session's. Raises UserError if a file is torn.
        """
        planned = max(self._batches("offsets"), default=-1)
        if planned < 0:
            return {}
        with self.torn_if_unreadable(self._file(f"offsets/{planned}")):
            _, of_batch, *_ = self._planned(planned)
            configuration: dict[str, str] = json.loads(of_batch).get("conf", {})
        return configuration

    @contextmanager
    def torn_if_unreadable(self, file: Storage) -> Iterator[None]:
        """Raise UserError where a file in or beside the checkpoint is not what was written.

        That is: other JSON, no JSON, no text, no file, or a wrong checksum. Where the file system
        does not answer, the file may be whole, and its own error goes on.
        """
        try:
            yield
        except (ValueError, KeyError, TypeError, Py4JJavaError) as error:
            if is_transient(error):
                raise
            raise self._torn(file) from None

    @property
    def _metadata(self) -> Storage:
        return self._file("metadata")

    def _file(self, name: str) -> Storage:
        return Storage(self.spark, f"{self.uri}/{name}")

    def _planned(self, batch: int) -> list[str]:
        """Return the lines of a planned batch's file: version, settings, offset of the source."""
        return self._file(f"offsets/{batch}").read_text().splitlines()

    def _batches(self, log: str) -> list[int]:
        """Return the numbers of the batches in one of the checkpoint's logs."""
        return [int(name) for name in self._file(log).names() if name.isdigit()]

    def _require_whole(self, name: str, *, documents: int) -> None:
        """Raise UserError unless a batch's file is as Spark writes it: a version, then JSON.

        A planned batch has two lines of JSON, the second for the only source, and a commit has one.
        """
        file = self._file(name)
        with self.torn_if_unreadable(file):
            version, *lines = file.read_text().splitlines()
            if not version.startswith("v") or len(lines) < documents:
                raise ValueError("no version, or too little after it")
            for line in lines:
                json.loads(line)

    def _torn(self, file: Storage) -> UserError:
        return UserError(
            f"The file {file.uri} is torn: it was cut off, emptied or deleted, for example by a "
            f"full disk or a power failure. Nothing is lost. `nest repair {self.query}` makes a "
            "new checkpoint from what is in Kafka and in the tables."
        )
