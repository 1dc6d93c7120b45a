"""A record stamped beyond what Spark can hold is named at once, and there is a way on."""

import pytest
from pyspark.sql import SparkSession

from contract.errors import UserError
from contract.topics import NEST_LOGS
from demo.commands.delete_records import delete_records_up_to
from tests.fixtures.kafka import Stamped, append_stamped
from tests.pipeline.queries.runs import MIDNIGHT, Send, counted, new_settings, rows, run_to_end
from tests.sample.odd_timestamps import remove_guards

pytestmark = [pytest.mark.kafka, pytest.mark.spark]

FAR_AWAY = -4 * 10**18


def send_stamped(bootstrap: str, sends: list[tuple[Send, int | None]]) -> None:
    """Append records to partition 0, some with another timestamp than their own."""
    midnight = int(MIDNIGHT.timestamp() * 1000)
    records = (
        Stamped(b"home", send.value(), midnight + send.sent * 60_000 if stamp is None else stamp, 0)
        for send, stamp in sends
    )
    append_stamped(bootstrap, NEST_LOGS.name, *records)


def test_a_record_that_spark_cannot_hold_is_named_and_can_be_passed_over(
    spark: SparkSession, bootstrap_servers: str
) -> None:
    with new_settings(bootstrap_servers) as settings:
        remove_guards(bootstrap_servers, NEST_LOGS.name)
        send_stamped(bootstrap_servers, [(Send(0, 10, 11), None), (Send(1, 20, 21), None)])
        run_to_end(spark, settings)
        send_stamped(bootstrap_servers, [(Send(0, 30, 31), FAR_AWAY), (Send(0, 70, 71), None)])
        with pytest.raises(UserError) as raised:
            run_to_end(spark, settings)
        assert "partition 0, offset 2 of nest-logs has the timestamp -4000000" in str(raised.value)
        assert "\n" not in str(raised.value)

        assert "`nest topics --delete-up-to 0:2`" in str(raised.value)
        assert delete_records_up_to(bootstrap_servers, "0:2", lambda text: True) == 3
        run_to_end(spark, settings.model_copy(update={"fail_on_data_loss": False}))
        assert counted(bootstrap_servers) == {("94304", 0): 2, ("94304", 1): 1}
        assert sorted(row["offset"] for row in rows(settings, "camera")) == [0, 1, 3]
