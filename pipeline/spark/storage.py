"""Small files and folders by URI, on any file system that Spark can reach."""

import json
from functools import partial
from typing import Any

from py4j.protocol import Py4JJavaError
from pyspark.sql import SparkSession

from pipeline.spark.failures import is_transient
from pipeline.spark.java_classes import java_class

_NO_NAME_HAS_IT = "\0"


class Storage:
    """A file or folder on one of Hadoop's file systems: a local path, s3a://, abfss://, hdfs://."""

    def __init__(self, spark: SparkSession, uri: str) -> None:
        self._class = partial(java_class, spark)
        gateway: Any = spark.sparkContext._gateway
        self._new_array = gateway.new_array
        self._path = self._class("org.apache.hadoop.fs.Path")(uri)
        conf = spark.sparkContext._jsc.hadoopConfiguration()
        self._fs = self._path.getFileSystem(conf)

    @property
    def uri(self) -> str:
        """The full URI, with its scheme."""
        return str(self._fs.makeQualified(self._path).toString())

    def exists(self) -> bool:
        """Return whether the file or folder exists."""
        return bool(self._fs.exists(self._path))

    def names(self) -> list[str]:
        """Return the names of what is in the folder; none if the folder does not exist."""
        if not self.exists():
            return []
        # All in one text: to ask Java for one after the other takes seconds for the log of a week.
        paths = self._class("org.apache.hadoop.fs.FileUtil").stat2Paths(self._statuses())
        sequence = self._class("scala.collection.immutable.ArraySeq").unsafeWrapArray(paths)
        joined = str(sequence.mkString(_NO_NAME_HAS_IT))
        return [path.rpartition("/")[2] for path in joined.split(_NO_NAME_HAS_IT) if path]

    def _statuses(self) -> Any:
        """Return a FileStatus[] of what is in the folder.

        An object store gives an array of a class of its own, which py4j hands to no method that
        asks for this one.
        """
        own = self._fs.listStatus(self._path)
        statuses = self._new_array(self._class("org.apache.hadoop.fs.FileStatus"), len(own))
        self._class("java.lang.System").arraycopy(own, 0, statuses, 0, len(own))
        return statuses

    def usage(self) -> tuple[int, int]:
        """Return how many files are in the folder and below it, and how many bytes they have."""
        summary = self._fs.getContentSummary(self._path)
        return int(summary.getFileCount()), int(summary.getLength())

    def modified(self) -> int:
        """Return when the file was written, in milliseconds since 1970."""
        return int(self._fs.getFileStatus(self._path).getModificationTime())

    def set_modified(self, moment: int) -> None:
        """Set when the file was written, where the file system can."""
        self._fs.setTimes(self._path, moment, -1)

    def read_text(self) -> str:
        """Return the file's content, UTF-8."""
        stream = self._fs.open(self._path)
        try:
            return bytes(stream.readAllBytes()).decode()
        finally:
            stream.close()

    def read_json_if_whole(self) -> Any | None:
        """Return the JSON in the file; None if there is no file, or it is torn.

        Raises what Java raises if the file system cannot be reached for a while.
        """
        if not self.exists():
            return None
        try:
            return json.loads(self.read_text())
        except (ValueError, Py4JJavaError) as error:
            if is_transient(error):
                raise
            return None

    def write_text(self, text: str) -> None:
        """Write the file, UTF-8, replacing its old content.

        At once on a local disk and on an object store: a kill or a full disk leaves the old content
        whole. On other file systems it may leave an empty file.
        """
        if self._fs.getScheme() != "file":
            self._write(self._path, text)
            return
        name = self._path.getName()
        part, checksum = self._beside(f".{name}.part"), self._beside(f".{name}.crc")
        self._write(part, text)
        self._fs.delete(checksum, False)  # for a moment the new file has none, and not the old one
        if not self._fs.rename(part, self._path):  # Hadoop's way to report a failure
            raise OSError(f"{self.uri} cannot be written.")

    def _beside(self, name: str) -> Any:
        return self._class("org.apache.hadoop.fs.Path")(self._path.getParent(), name)

    def _write(self, path: Any, text: str) -> None:
        stream = self._fs.create(path, True)
        try:
            stream.write(bytearray(text.encode()))
        finally:
            stream.close()

    def rename_to(self, other: "Storage") -> None:
        """Give the file or folder another name, which must be free."""
        if not self._fs.rename(self._path, other._path):
            raise OSError(f"{self.uri} cannot be renamed to {other.uri}.")

    def delete(self) -> None:
        """Delete the file or folder, if it exists."""
        self._fs.delete(self._path, True)
