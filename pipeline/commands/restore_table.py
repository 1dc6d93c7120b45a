"""`nest restore`: roll a table back to a version."""

from py4j.protocol import Py4JJavaError
from pyspark.errors import PySparkException
from pyspark.sql import SparkSession

from contract.errors import UserError
from contract.settings import Settings
from pipeline.lake.sql_name import sql_name
from pipeline.lake.tables import table_uri
from pipeline.spark.failures import is_transient, root_cause


def restore_table(spark: SparkSession, settings: Settings, table: str, version: int) -> None:
    """Make a table what it was at a version, as a new version; no pipeline may run.

    Raises UserError if the version's files are gone.
    """
    uri = table_uri(spark, settings, table)
    try:
        spark.sql(f"RESTORE TABLE {sql_name(uri)} TO VERSION AS OF {version}").collect()
    except (Py4JJavaError, PySparkException) as error:
        if is_transient(error):
            raise
        raise UserError(
            f"The table {table} cannot be restored to version {version}: {root_cause(error)} "
            "Versions lose their files when NEST_VERSION_RETENTION has passed, and all at once by "
            f"`nest forget`. `nest history {table}` lists newer ones."
        ) from None
