"""Add to an existing Delta table the columns of fields that are new in the messages."""

from collections.abc import Mapping

from pyspark.sql import SparkSession
from pyspark.sql.types import ArrayType, DataType, StructType

from contract.errors import UserError


def add_missing_columns(spark: SparkSession, uri: str, schema: StructType) -> None:
    """Add to a table the columns, and the fields in its structs, that only the schema has.

    Rows that are there read as null in them. Raises UserError for a column of another type: Delta
    does not convert what is there.
    """
    there = _types(spark.read.format("delta").load(uri).schema)
    wanted = _types(schema)
    for name, kind in wanted.items():
        if there.get(name, kind) != kind:
            raise UserError(
                f"The table {uri} has {name} as {there[name]}, and contract/message_schema.json "
                f"says {kind}. Delta does not convert the rows that are there. Give the field "
                "another name, or begin a new lake: set NEST_LAKE and NEST_CHECKPOINTS."
            )
    if wanted.keys() - there.keys():
        empty = spark.createDataFrame([], schema).write.format("delta").mode("append")
        empty.option("mergeSchema", True).save(uri)


def _types(kind: DataType, name: str = "") -> Mapping[str, str]:
    """Return the types of all that is no struct, by name, such as ``last_event.has_person``."""
    match kind:
        case StructType():
            fields = {f"{name}.{field.name}".lstrip("."): field.dataType for field in kind}
            return {n: t for inner, of in fields.items() for n, t in _types(of, inner).items()}
        case ArrayType(elementType=StructType() as element):
            return _types(element, f"{name}[]")
    return {name: kind.simpleString()}
