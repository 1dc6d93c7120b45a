"""The contender ``duckdb``: the same job in one process, in DuckDB's SQL on Arrow batches.

confluent-kafka reads and delta-rs writes. DuckDB parses, explodes, redacts, finds the re-sends,
joins and counts, on all cores. It lacks what ``plain_python`` lacks. Offsets do not outlive a
crash. The table of sightings has no limit. It cannot use a second machine. It has no quarantine, so
the first bad message stops it.
"""

from contextlib import AbstractContextManager, nullcontext

import duckdb
import pyarrow as pa
from confluent_kafka import Message

from bench.contenders.camera_writer import CameraWriter, camera_columns
from bench.contenders.count_writer import CountWriter
from bench.contenders.kafka_reader import read_batches
from bench.contenders.on_time import on_time_limits
from bench.contenders.registry import Job
from check.locations import read_locations
from contract.settings import Settings
from contract.stats import UNPLACED

_BATCH_MESSAGES = 10_000
"""Messages that are parsed together."""
_CHUNK_ROWS = 1_000
"""DuckDB's threads share the chunks of an Arrow table. One large chunk would use one thread."""


def duckdb_sql(settings: Settings) -> AbstractContextManager[Job]:
    """Archive and count. There is nothing to prepare."""
    return nullcontext(_archive_and_count)


def _archive_and_count(settings: Settings) -> None:
    writer, counts = CameraWriter(settings), CountWriter(settings)
    with duckdb.connect() as db:
        _create_tables(db, settings)
        insert_cameras = _insert_cameras_sql()
        for messages in read_batches(settings, _BATCH_MESSAGES):
            records = _arrow_table(messages)
            db.register("records", records)
            db.execute("DELETE FROM camera")
            db.execute(insert_cameras)
            cameras = db.sql("FROM camera").to_arrow_table().cast(camera_columns())
            _count_batch(db, settings, counts)
            writer.add(cameras, len(messages))
        writer.start_commit()
    counts.flush()
    writer.close()


def _create_tables(db: duckdb.DuckDBPyConnection, settings: Settings) -> None:
    """Create tables for locations, sightings so far, counts, and the cameras of one batch."""
    lines = list(read_locations(settings.device_locations))
    locations = pa.table({"device_id": [d for d, _ in lines], "zip_code": [z for _, z in lines]})
    db.register("locations", locations)
    db.execute("CREATE TABLE location AS FROM locations")
    db.execute("CREATE TABLE sighting (device_id VARCHAR, start_time TIMESTAMP)")
    db.execute("CREATE TABLE batch_count (zip_code VARCHAR, hour TIMESTAMP, count BIGINT)")
    columns = ", ".join(f'"{field.name}" {_sql_type(field.type)}' for field in camera_columns())
    db.execute(f"CREATE TEMP TABLE camera ({columns})")


def _arrow_table(messages: list[Message]) -> pa.Table:
    records = pa.table(
        {
            "value": pa.array([message.value() for message in messages], pa.string()),
            "partition": pa.array([message.partition() for message in messages], pa.int32()),
            "offset": pa.array([message.offset() for message in messages], pa.int64()),
            "timestamp": pa.array(
                [message.timestamp()[1] * 1000 for message in messages], pa.int64()
            ).cast(pa.timestamp("us")),
        }
    )
    return pa.Table.from_batches(records.to_batches(max_chunksize=_CHUNK_ROWS))


def _insert_cameras_sql() -> str:
    """Return the statement that parses a batch: one row per camera, URLs without credentials."""
    fields = list(camera_columns())[:-3]
    camera = _sql_type(pa.struct(fields))
    columns = ", ".join(_redacted(f'c."{field.name}"', field.type) for field in fields)
    structure = f'{{"devices":{{"cameras":"MAP(VARCHAR, {camera.replace(chr(34), "")})"}}}}'
    return f"""
        INSERT INTO camera SELECT {columns}, "partition", "offset", "timestamp" FROM (
            SELECT unnest(map_values(from_json(value, '{structure}').devices.cameras)) AS c,
                   "partition", "offset", "timestamp" FROM records)
    """  # noqa: S608 - only the schema's own names


def _count_batch(db: duckdb.DuckDBPyConnection, settings: Settings, writer: CountWriter) -> None:
    """Count the sightings of this batch that are new and on time, and send the changed counts."""
    least, most = on_time_limits(settings)
    db.execute(f"""
        CREATE OR REPLACE TEMP TABLE new_sighting AS
        SELECT DISTINCT device_id, last_event.start_time AS start_time FROM camera
        WHERE last_event.has_person AND epoch_us("timestamp") - epoch_us(last_event.start_time)
            BETWEEN {least} AND {most}
        EXCEPT FROM sighting
    """)  # noqa: S608 - numbers
    db.execute("INSERT INTO sighting FROM new_sighting")
    db.execute(f"""
        CREATE OR REPLACE TEMP TABLE new_count AS
        SELECT coalesce(nullif(zip_code, ''), '{UNPLACED}') AS zip_code,
               date_trunc('hour', start_time) AS hour, count(*) AS count
        FROM new_sighting LEFT JOIN location USING (device_id) GROUP BY ALL
    """)  # noqa: S608 - a constant
    db.execute("INSERT INTO batch_count FROM new_count")
    changed = db.sql("""
        SELECT zip_code, epoch_us(hour), sum(count)::BIGINT FROM batch_count
        SEMI JOIN new_count USING (zip_code, hour) GROUP BY ALL
    """).fetchall()
    writer.send(((zip_code, hour), count) for zip_code, hour, count in changed)


def _sql_type(arrow: pa.DataType) -> str:
    if pa.types.is_struct(arrow):
        parts = (f'"{field.name}" {_sql_type(field.type)}' for field in arrow)
        return f"STRUCT({', '.join(parts)})"
    if pa.types.is_list(arrow):
        return f"{_sql_type(arrow.value_type)}[]"
    names = {pa.bool_(): "BOOLEAN", pa.int32(): "INTEGER", pa.int64(): "BIGINT"}
    return "TIMESTAMP" if pa.types.is_timestamp(arrow) else names.get(arrow, "VARCHAR")


def _redacted(column: str, arrow: pa.DataType) -> str:
    """Return a column's expression, which removes from URLs what may be a credential."""
    if pa.types.is_struct(arrow):
        parts = (
            f'"{field.name}" := {_redacted(f"{column}.{field.name}", field.type)}'
            for field in arrow
        )
        return f"CASE WHEN {column} IS NULL THEN NULL ELSE struct_pack({', '.join(parts)}) END"
    if not column.strip('"').endswith("_url"):
        return column
    cut = f"regexp_replace({column}, '[?#].*$', '', 's')"
    return f"""CASE WHEN contains({column}, '@')
        THEN regexp_replace({cut}, '^([^/]*//)?[^/]*@', '\\1') ELSE {cut} END"""
