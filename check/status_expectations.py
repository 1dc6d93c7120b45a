"""What must hold for the states of the cameras, and for the alerts that come of them."""

from dataclasses import replace

from check.judging import Expectation, must_be_none, where
from check.rules.columns import ARCHIVE_COLUMNS
from check.table_expectations import TableSentences, table_expectations
from contract import lake
from contract.queries import Query

_READ_FROM = "every row of `camera_status`, every row of `camera`"


def status_expectations() -> list[Expectation]:
    """Return what must hold for the newest row of each camera."""
    rows = [
        *table_expectations(
            lake.CAMERA_STATUS,
            ARCHIVE_COLUMNS,
            lambda found: found.status,
            TableSentences(
                table="the lake has the table, if its query has committed anything",
                columns="the table has the columns of `camera` alone, with the same types",
                number="the number lies between the cameras that the query has processed and those "
                "of `camera`",
                missing="none: each camera of which the query has processed a row has its row",
                doubled="none: no camera has two rows",
                unexpected="none: each row is a row of `camera`",
                differing="none: every column of every row is that of the row of `camera`",
            ),
            stage=Query.CAMERA_STATUS,
            number_line=f"cameras in {lake.CAMERA_STATUS}",
            unexpected_line=f"{lake.CAMERA_STATUS} rows that the archive does not have",
            read_from=_READ_FROM,
        ),
        Expectation(
            Query.CAMERA_STATUS,
            f"{lake.CAMERA_STATUS} rows that are stale",
            "none: no row is older than the newest one that the query has processed",
            _READ_FROM,
            must_be_none(lambda found: found.status.comparison.stale),
        ),
    ]
    return [
        replace(each, judge=where(lambda found: found.must_have_status, each.judge))
        for each in rows
    ]


def alert_expectations() -> list[Expectation]:
    """Return what must hold for the alerts, each taken once."""
    return [
        Expectation(
            Query.ALERTS,
            "alerts that the archive does not explain",
            "none: the message that an alert is about is in `camera`, and says the same",
            "every record of `nest-camera-alerts`, every row of `camera`",
            must_be_none(
                lambda found: found.status.alerts.unexplained,
                of=lambda found: found.status.alerts.found,
            ),
        ),
        Expectation(
            Query.ALERTS,
            "cameras whose newest alert is not their state",
            "none: a camera is offline if its newest alert says so, and only then",
            "every record of `nest-camera-alerts`, `camera_status` as the query has taken it in",
            where(
                lambda found: found.status.alerts.states > 0,
                must_be_none(
                    lambda found: found.status.alerts.contradicted,
                    of=lambda found: found.status.alerts.states,
                ),
            ),
        ),
    ]
