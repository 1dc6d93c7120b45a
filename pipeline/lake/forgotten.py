"""Leave forgotten homes and cameras out of what is written to the lake."""

from collections.abc import Iterable

from pyspark.sql import Column, DataFrame, SparkSession
from pyspark.sql import functions as F

from contract.errors import UserError
from contract.forgotten import WORD_ENDS, Forgotten, decode_forgotten
from contract.lake import forgotten_uri
from contract.settings import Settings
from pipeline.spark.storage import Storage

_ID_COLUMNS = ("device_id", "structure_id")
_TEXT_COLUMNS = ("raw", "detail")


def read_forgotten(spark: SparkSession, settings: Settings) -> Forgotten | None:
    """Return the list beside the lake; None if nobody was forgotten.

    Raises UserError if the file is torn: without it, forgotten homes would come back.
    """
    file = Storage(spark, forgotten_uri(settings.lake))
    if not file.exists():
        return None
    try:
        return decode_forgotten(file.read_text())
    except ValueError as error:
        raise UserError(
            f"The list of forgotten homes {file.uri} cannot be read: {error}. Restore it from a "
            "backup, or delete it and run `nest forget` again for each of them."
        ) from None


def keep_forgotten(spark: SparkSession, settings: Settings, forgotten: Forgotten) -> None:
    """Write the list."""
    Storage(spark, forgotten_uri(settings.lake)).write_text(forgotten.encode())


def records_without_forgotten(records: DataFrame, forgotten: Forgotten | None) -> DataFrame:
    """Leave out the records of nest-logs whose key is a forgotten id: a home's own messages."""
    return records if forgotten is None else records.where(~is_of_forgotten_home(forgotten))


def is_of_forgotten_home(forgotten: Forgotten) -> Column:
    """Say of a record of nest-logs whether its key is a forgotten id."""
    return _is_forgotten(F.col("key").cast("string"), forgotten)


def rows_without_forgotten(rows: DataFrame, forgotten: Forgotten | None) -> DataFrame:
    """Leave out rows of a table that have a forgotten id, or a text that mentions one."""
    return rows if forgotten is None else rows.where(~belongs_to_forgotten(rows.columns, forgotten))


def belongs_to_forgotten(columns: Iterable[str], forgotten: Forgotten) -> Column:
    """Say of a table's row whether it has a forgotten id, or a text that mentions one."""
    condition = F.lit(False)
    names = set(columns)
    for name in names.intersection(_ID_COLUMNS):
        condition |= _is_forgotten(F.col(name), forgotten)
    for name in names.intersection(_TEXT_COLUMNS):
        condition |= mentions_forgotten(F.col(name), forgotten)
    return condition


def mentions_forgotten(text: Column, forgotten: Forgotten) -> Column:
    """Say whether a word of a text is a forgotten id."""
    words = F.array_distinct(F.split(text, WORD_ENDS))
    return F.coalesce(F.exists(words, lambda word: _is_forgotten(word, forgotten)), F.lit(False))


def _is_forgotten(id_column: Column, forgotten: Forgotten) -> Column:
    digest = F.sha2(F.concat(F.lit(forgotten.salt), id_column), 256)
    return F.coalesce(digest.isin(sorted(forgotten.digests)), F.lit(False))
