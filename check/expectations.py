"""What must hold between topics, tables and counts, as one table.

A row has its stage, the text of its line, what must hold, how that is read, and how it is judged.
A new stage of the pipeline adds its rows here, and what they need to ``Findings``.
"""

from dataclasses import replace
from functools import partial

from check.findings import Findings
from check.judging import (
    Expectation,
    has_sightings_query,
    must_be_at_least_one,
    must_be_between,
    must_be_none,
    must_have_committed_records,
    offsets_beyond_end,
    where,
)
from check.rules.columns import ARCHIVE_COLUMNS, QUARANTINE_COLUMNS, Columns
from check.status_expectations import alert_expectations, status_expectations
from check.streamed_sightings import SightingComparison
from check.table_expectations import TableSentences, table_expectations
from contract import lake
from contract.queries import Query

RECOUNT = "recount"
"""The check itself, which must have compared something."""


def _of_query(query: Query, *, at_least: int = 1) -> list[Expectation]:
    """Return what must hold for the offsets that a query has committed.

    ``at_least`` is how many records it must have committed while the pipeline runs.
    """
    some = "at least one record" if at_least else "any number of records"
    read_from = "latest record of the query in `nest-pipeline-progress`, end of `nest-logs`"
    row = partial(Expectation, query, read_from=read_from)
    return [
        row(
            f"records committed by {query}",
            f"the query has committed {some}; after `nest run`, all of them",
            judge=must_have_committed_records(query, at_least=at_least),
        ),
        row(
            f"offsets committed by {query} that nest-logs does not have",
            "none: else topic and progress are not of the same run",
            judge=must_be_none(offsets_beyond_end(query)),
            is_always_shown=False,
        ),
    ]


def _of_table(stage: str, table: str, columns: Columns, one_row_for: str) -> list[Expectation]:
    """Return what must hold for a Delta table whose rows carry the position of their record."""
    return table_expectations(
        table,
        columns,
        lambda found: found.tables[table],
        TableSentences(
            table="the lake has the table",
            columns="the table has these columns alone, with the right types",
            number="the number lies between the rows of committed records and those of all records",
            missing=f"none: {one_row_for} has its row",
            doubled="none: no row is stored more often than its record asks for",
            unexpected="none: no row is at a position where the topic has nothing that becomes "
            "this row",
            differing="none: every column of every row is what its record says",
        ),
        stage=stage,
        number_line=f"{stage} rows",
        unexpected_line=f"{stage} rows that nothing in nest-logs has",
        read_from=f"every row of `{table}`, every record of `nest-logs`",
    )


def _of_counts() -> list[Expectation]:
    """Return what must hold for the counts, compared by zip code and hour.

    One recount goes up to what stats had committed, the other up to the end of nest-logs.
    """
    read_from = "latest value per key of `nest-camera-stats`, every record of `nest-logs`"
    row = partial(Expectation, Query.STATS, read_from=read_from)
    return [
        row(
            "counts (zip code and hour)",
            "their number lies between the two recounts",
            judge=must_be_between(
                lambda found: (found.counts.required, found.counts.possible),
                lambda found: found.counts.found,
            ),
        ),
        row(
            "counts missing",
            "none: each zip code and hour with a committed sighting has its count",
            judge=must_be_none(lambda found: found.counts.missing),
        ),
        row(
            "counts that differ",
            "none: each count lies between the two recounts of its zip code and hour",
            judge=must_be_none(lambda found: found.counts.differing),
        ),
        row(
            "counts that no sighting has",
            "none: no count is for a zip code and hour without a sighting",
            judge=must_be_none(lambda found: found.counts.unexpected),
        ),
        row(
            "sightings counted",
            "the counts add up to a number between the two recounts",
            judge=must_be_between(
                lambda found: (found.counts.sightings_required, found.counts.sightings_possible),
                lambda found: found.counts.sightings_found,
            ),
        ),
        row(
            "sightings that the counts lack",
            "none; otherwise how many the missing and too low counts lack together",
            judge=must_be_none(lambda found: found.counts.lacking),
        ),
    ]


def _of_streamed_sightings() -> list[Expectation]:
    """Return what must hold for nest-sightings, folded by device_id and start_time.

    One recount goes up to what the query sightings had committed, the other up to the end of
    nest-logs.
    """
    read_from = "every record of `nest-sightings`, every record of `nest-logs`"
    row = partial(Expectation, Query.SIGHTINGS, read_from=read_from)

    def streamed(findings: Findings) -> SightingComparison:
        return findings.streamed or SightingComparison()

    rows = [
        row(
            "sightings in nest-sightings",
            "their number lies between the two recounts",
            judge=must_be_between(
                lambda found: (streamed(found).required, streamed(found).possible),
                lambda found: streamed(found).found,
            ),
        ),
        row(
            "sightings missing in nest-sightings",
            "none: each committed sighting that counts is there",
            judge=must_be_none(lambda found: streamed(found).missing),
        ),
        row(
            "sightings in nest-sightings that do not count",
            "none: each is a sighting that counts",
            judge=must_be_none(lambda found: streamed(found).unexpected),
        ),
        row(
            "zip codes that differ in nest-sightings",
            "none: each sighting has the zip code of its device",
            judge=must_be_none(lambda found: streamed(found).misplaced),
        ),
    ]
    # While the pipeline runs, a batch of this query lasts for minutes: none may be committed yet.
    rows = [*_of_query(Query.SIGHTINGS, at_least=0), *rows]
    return [replace(each, judge=where(has_sightings_query, each.judge)) for each in rows]


def _of_recount() -> list[Expectation]:
    """Return what must hold for the check itself."""
    return [
        Expectation(
            RECOUNT,
            "records of nest-logs recounted",
            "at least one: comparing nothing proves nothing",
            "every record of `nest-logs`",
            must_be_at_least_one(lambda found: found.records),
        ),
        Expectation(
            RECOUNT,
            "values compared",
            "at least one: comparing nothing proves nothing",
            "the comparisons of the tables, the counts and the sightings",
            must_be_at_least_one(lambda found: found.values),
        ),
    ]


EXPECTATIONS = (
    *_of_query(Query.ARCHIVE),
    *_of_query(Query.STATS),
    *_of_recount(),
    *_of_table(Query.ARCHIVE, lake.CAMERA, ARCHIVE_COLUMNS, "each camera of a committed record"),
    *_of_table(
        lake.QUARANTINE, lake.QUARANTINE, QUARANTINE_COLUMNS, "each fault of a committed record"
    ),
    *_of_counts(),
    *_of_streamed_sightings(),
    *status_expectations(),
    *alert_expectations(),
)
"""Every expectation, in the order of the verdict's lines."""
