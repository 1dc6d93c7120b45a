"""Typical wrong answers of the lab Change upstream."""

FORGET_IN = """from pipeline.lake.forgotten import read_forgotten
from pipeline.lake.purge_log import purge_log
from pipeline.maintenance.maintain import vacuum

forgotten = read_forgotten(spark, settings)


def forget_in(table, home):
    """

DELETE = """DeltaTable.forPath(spark, lab.table(table)).delete(F.col("structure_id") == home)
    """

WRONG = {
    "option": {
        'option = "ignoreDeletes"': "written anew",
        'option = "ignoreUpdates"': "still stops",
        'option = "ignoreChanges"': "twice",
    },
    "forget_in": {
        FORGET_IN + "vacuum(spark, settings, table, 0)": "Begin with the rows",
        FORGET_IN + DELETE + "vacuum(spark, settings, table)": "older version",
        FORGET_IN + DELETE + "vacuum(spark, settings, table, 0)": "its condition",
    },
    "allowed": {
        'allowed = {"mergeSchema": "true"}': "for who writes",
        'allowed = {"allowSourceColumnDrop": "always"}': "POST_SCHEMA_EVOLUTION",
    },
}
