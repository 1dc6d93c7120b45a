"""Drills that take records away from Kafka; what nobody has read yet can be gone for good."""

from collections.abc import Iterator
from itertools import count

from contract.kafka.connections import open_admin
from contract.kafka.log_offsets import end_offsets
from contract.kafka.record_deletion import delete_all_records
from contract.queries import Query
from contract.topic_admin import create_topics, delete_topics, wanted_topics
from contract.topics import NEST_LOGS
from demo.drills.drill import Drill, Refusal
from demo.drills.running_demo import RunningDemo
from demo.drills.service_control import PRODUCER

_GO_ON = "NEST_FAIL_ON_DATA_LOSS=false"
_PIPELINE_SAYS = "the pipeline says which records are gone, and how to go on; on Live the lag grows"
_AT_ONCE = 20_000


def _recreate(demo: RunningDemo) -> Iterator[str]:
    kafka = demo.settings.kafka
    with demo.stopped(PRODUCER):
        before = end_offsets(kafka)
        with open_admin(kafka) as admin:
            delete_topics(admin, [NEST_LOGS.name])
            create_topics(admin, wanted_topics(demo.settings))
        yield f"Deleted {NEST_LOGS.name} with all its records, and created it again."
    sent = 0
    while any(end <= before.get(number, 0) for number, end in end_offsets(kafka).items()):
        sent += demo.send([b"{}"] * _AT_ONCE, (b"%d" % number for number in count(sent)))
    yield f"Sent {sent:,} documents, so that each partition is longer than the old one was."


def _age_out(demo: RunningDemo) -> Iterator[str]:
    with demo.stopped(PRODUCER):
        demo.require_success("pipeline", "--once")
        yield "All queries have read everything: what they read together is not lost."
        sent = demo.send([b"{}"] * 1_000)
        delete_all_records(demo.settings.kafka, NEST_LOGS)
    yield f"Sent {sent:,} documents and deleted them, with all before, as retention does."


DRILLS = (
    Drill(
        name="topic-recreated",
        does="delete nest-logs and create it again, "
        "with more records in each partition than before",
        watch_for=_PIPELINE_SAYS,
        heals="They set the old topic's tables aside, archive the new topic, and count it.",
        shows="a topic that only has the same name is never taken for the old one",
        disturb=_recreate,
        refusal=Refusal(
            pattern=r"deleted and created again",
            says="the topic was deleted and created again",
            mend=(("repair", Query.ARCHIVE, "--new-tables"), ("repair", Query.STATS)),
        ),
    ),
    Drill(
        name="records-gone",
        does="let records be deleted that nobody has read yet",
        watch_for=_PIPELINE_SAYS,
        heals="It goes on after the records. They are lost, so somebody has to say so.",
        shows="records that are lost are never passed over in silence",
        disturb=_age_out,
        refusal=Refusal(
            pattern=_GO_ON,
            says="records are gone that nobody read",
            mend=((_GO_ON, "pipeline", "--once"),),
        ),
    ),
)
