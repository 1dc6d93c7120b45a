"""`nest restore`: what it will do, and what has to be done after it."""

from collections.abc import Callable

from contract import lake
from contract.errors import UserError
from contract.print_line import PrintLine
from contract.settings import Settings
from demo.commands.spark_start import announce_spark

_AFTER = {
    lake.CAMERA_STATUS: (
        "A camera that has reported since shows its older state until it reports again, and `nest "
        "check` calls its row stale. `nest repair camera_status` makes the whole table anew."
    )
}
_AFTER_ARCHIVE = (
    "The rows of later messages are gone from the table. `nest pipeline` does not start before "
    "`nest repair archive` has written them again from Kafka."
)


def restore(
    settings: Settings,
    table: str,
    version: int,
    confirm: Callable[[str], None],
    say: PrintLine,
) -> None:
    """Restore a table unless ``confirm`` ends the command.

    Raises UserError if the table or the version is not there, or something may
    write to it.
    """
    from pipeline.commands.restore_table import restore_table
    from pipeline.lake.table_versions import choose_version, read_commit_times
    from pipeline.single_writer.lock import is_locked
    from pipeline.single_writer.writing_session import exclusive_session

    if is_locked(settings):
        raise UserError(
            f"A pipeline or another command may write to {table}. Stop it first, or wait for its "
            "end; then restore the table."
        )
    announce_spark()
    with exclusive_session(settings) as spark:
        commits = read_commit_times(spark, settings, table)
        newest = commits[-1].version
        if choose_version(version, table, commits) == newest:
            raise UserError(
                f"Version {version} is the newest of {table}: there is nothing to restore."
            )
        confirm(f"Make {table} what it was at version {version} (now {newest})?")
        restore_table(spark, settings, table, version)
    say(f"The table {table} is at version {version} again, as a new version.")
    say(_AFTER.get(table, _AFTER_ARCHIVE))
