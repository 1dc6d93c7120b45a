"""Small files and folders by URI, on whatever file system Spark can reach."""

from typing import Any

from pyspark.sql import SparkSession


class Storage:
    """Hadoop's file systems: a local path, s3a://, abfss://, hdfs://."""

    def __init__(self, spark: SparkSession, uri: str) -> None:
        jvm: Any = spark.sparkContext._jvm
        self._jvm = jvm
        self._path = jvm.org.apache.hadoop.fs.Path(uri)
        conf = spark.sparkContext._jsc.hadoopConfiguration()
        self._fs = self._path.getFileSystem(conf)

    @property
    def uri(self) -> str:
        """The location in full, with its scheme."""
        return str(self._fs.makeQualified(self._path).toString())

    def exists(self) -> bool:
        """Tell whether there is a file or folder."""
        return bool(self._fs.exists(self._path))

    def names(self) -> list[str]:
        """Return the names of what is in the folder; none if there is no folder."""
        if not self.exists():
            return []
        return [status.getPath().getName() for status in self._fs.listStatus(self._path)]

    def read_text(self) -> str:
        """Return the file's text."""
        stream = self._fs.open(self._path)
        try:
            return bytes(stream.readAllBytes()).decode()
        finally:
            stream.close()

    def write_text(self, text: str) -> None:
        """Write the file, replacing what was there."""
        stream = self._fs.create(self._path, True)
        try:
            stream.write(bytearray(text.encode()))
        finally:
            stream.close()

    def delete(self) -> None:
        """Remove the file or folder, if there is one."""
        self._fs.delete(self._path, True)
