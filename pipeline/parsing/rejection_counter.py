"""Count, while cameras are parsed in the workers, what belongs in quarantine."""

from datetime import timedelta

from pyspark.sql import SparkSession

from pipeline.parsing.parsed_batch import ParsedBatch


class RejectionCounter:
    """Counts in Spark accumulators: workers add to them, the driver reads them after the job."""

    def __init__(self, spark: SparkSession, clock_skew: timedelta) -> None:
        self._clock_skew = clock_skew
        self._records = spark.sparkContext.accumulator(0)
        self._rejections = spark.sparkContext.accumulator(0)

    def add(self, parsed: ParsedBatch) -> None:
        """Count the records of an Arrow batch and their rejections; runs in a worker."""
        self._records.add(len(parsed.decoded))
        self._rejections.add(len(parsed.rejections(self._clock_skew)))

    def reset(self) -> None:
        """Begin to count anew; runs on the driver."""
        self._records.value = self._rejections.value = 0

    @property
    def saw_only_clean_records(self) -> bool:
        """Whether records were parsed since the reset, and none of them was rejected."""
        return self._records.value > 0 and self._rejections.value == 0
