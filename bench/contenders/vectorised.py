"""vectorised: the same job in one process, its work done by DuckDB on Arrow batches.

confluent-kafka reads, DuckDB parses, explodes, redacts, finds the re-sends, joins and counts, on
all cores; delta-rs writes. It lacks what by_hand lacks: offsets that outlive a crash, a bound to
the table of sightings, more than one machine, and quarantine: the first bad message stops it.
"""

from collections.abc import Iterator
from contextlib import contextmanager

import duckdb
import pyarrow as pa
from confluent_kafka import Message

from bench.contenders.counting import CountWriter
from bench.contenders.lake import COMMIT_EVERY, CameraWriter, camera_row
from bench.contenders.reading import read_batches
from bench.contenders.spark import Work
from check.locations import read_locations
from contract.settings import Settings
from contract.stats import UNPLACED

_AT_ONCE = 10_000
"""Messages that are parsed together."""
_PER_TASK = 1_000
"""DuckDB's threads share a table's batches; one large one would leave it to one of them."""


@contextmanager
def vectorised(settings: Settings) -> Iterator[Work]:
    """Archive and count; there is nothing to set up."""
    yield _work


def _work(settings: Settings) -> None:
    lake, counts = CameraWriter(settings), CountWriter(settings)
    with duckdb.connect() as db:
        _prepare(db, settings)
        insert = _insert_cameras()
        pieces: list[pa.Table] = []
        pending = 0
        for messages in read_batches(settings, _AT_ONCE):
            records = _arrow(messages)
            db.register("records", records)
            db.execute("DELETE FROM camera")
            db.execute(insert)
            pieces.append(db.sql("FROM camera").to_arrow_table().cast(camera_row()))
            _count(db, settings, counts)
            pending += len(messages)
            if pending >= COMMIT_EVERY:
                lake.append(pa.concat_tables(pieces))
                pieces, pending = [], 0
        if pieces:
            lake.append(pa.concat_tables(pieces))
    counts.flush()
    lake.close()


def _prepare(db: duckdb.DuckDBPyConnection, settings: Settings) -> None:
    """Make the tables: places, sightings so far, counts so far, and the cameras of one batch."""
    lines = list(read_locations(settings.device_locations))
    places = pa.table({"device_id": [d for d, _ in lines], "zip_code": [z for _, z in lines]})
    db.register("places", places)
    db.execute("CREATE TABLE location AS FROM places")
    db.execute("CREATE TABLE sighting (device_id VARCHAR, start_time TIMESTAMP)")
    db.execute("CREATE TABLE tally (zip_code VARCHAR, hour TIMESTAMP, count BIGINT)")
    columns = ", ".join(f'"{field.name}" {_sql_type(field.type)}' for field in camera_row())
    db.execute(f"CREATE TEMP TABLE camera ({columns})")


def _arrow(messages: list[Message]) -> pa.Table:
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
    return pa.Table.from_batches(records.to_batches(max_chunksize=_PER_TASK))


def _insert_cameras() -> str:
    """Return the statement that parses a batch: one row a camera, URLs without credentials."""
    fields = list(camera_row())[:-3]
    camera = _sql_type(pa.struct(fields))
    columns = ", ".join(_redacted(f'c."{field.name}"', field.type) for field in fields)
    structure = f'{{"devices":{{"cameras":"MAP(VARCHAR, {camera.replace(chr(34), "")})"}}}}'
    return f"""
        INSERT INTO camera SELECT {columns}, "partition", "offset", "timestamp" FROM (
            SELECT unnest(map_values(from_json(value, '{structure}').devices.cameras)) AS c,
                   "partition", "offset", "timestamp" FROM records)
    """  # noqa: S608 - made of the schema's own names


def _count(db: duckdb.DuckDBPyConnection, settings: Settings, writer: CountWriter) -> None:
    """Count the sightings of this batch that are new and on time, and send what has changed."""
    skew = int(settings.clock_skew.total_seconds() * 1e6)
    lateness = int(settings.lateness.total_seconds() * 1e6)
    db.execute(f"""
        CREATE OR REPLACE TEMP TABLE fresh AS
        SELECT DISTINCT device_id, last_event.start_time AS start_time FROM camera
        WHERE last_event.has_person AND epoch_us("timestamp") - epoch_us(last_event.start_time)
            BETWEEN -{skew} AND {lateness}
        EXCEPT FROM sighting
    """)  # noqa: S608 - numbers
    db.execute("INSERT INTO sighting FROM fresh")
    db.execute(f"""
        CREATE OR REPLACE TEMP TABLE more AS
        SELECT coalesce(nullif(zip_code, ''), '{UNPLACED}') AS zip_code,
               date_trunc('hour', start_time) AS hour, count(*) AS count
        FROM fresh LEFT JOIN location USING (device_id) GROUP BY ALL
    """)  # noqa: S608 - a constant
    db.execute("INSERT INTO tally FROM more")
    changed = db.sql("""
        SELECT zip_code, epoch_us(hour), sum(count)::BIGINT FROM tally
        SEMI JOIN more USING (zip_code, hour) GROUP BY ALL
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
    """Return a column's expression, what may be a credential cut from its URLs."""
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
