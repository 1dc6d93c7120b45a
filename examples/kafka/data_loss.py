"""What a query does when records are gone before it has read them: ``failOnDataLoss``.

You should see a query that stops with true and goes on without the records with false; and a topic
that was created again, which Spark notices only if the new one is shorter than the old one was.
With false it then loses all that is in the new topic when the query starts.
"""

from dataclasses import dataclass

from kafka import TopicPartition

from contract.kafka.connections import open_admin
from contract.topic_admin import delete_topics
from examples.playground import Playground

ROWS = ("A2",)


@dataclass(frozen=True)
class Observed:
    """Why queries stopped, and the offsets that the others read."""

    aged_out_true: str
    aged_out_false: list[int]
    shorter_true: str
    shorter_false: list[int]
    shorter_false_later: list[int]
    longer_true: list[int]


def run(playground: Playground) -> Observed:
    """Read two messages; then lose some of what follows, in three ways."""
    messages = playground.messages(8)

    def new_topic_with_a_reader(name: str, sent: int) -> str:
        topic = playground.topic(name)
        playground.send(topic, messages[:sent])
        read(topic, fail_on_data_loss=True)
        return topic

    def read(topic: str, *, fail_on_data_loss: bool) -> list[int]:
        stream = (
            playground.read_stream()
            .option("subscribe", topic)
            .option("startingOffsets", "earliest")
            .option("failOnDataLoss", fail_on_data_loss)
            .load()
        )
        return sorted(row.offset for row in playground.rows_of(stream, checkpoint=topic))

    # In production: a retention longer than the longest outage, and an alert on the lag before it.
    aged = new_topic_with_a_reader("aged-out", sent=2)
    playground.send(aged, messages[2:6])
    delete_before(playground, aged, offset=4)
    aged_out_true = reason(playground.refusal(lambda: read(aged, fail_on_data_loss=True)))
    aged_out_false = read(aged, fail_on_data_loss=False)

    shorter = new_topic_with_a_reader("recreated-shorter", sent=4)
    recreate(playground, shorter)
    playground.send(shorter, messages[:1])
    shorter_true = reason(playground.refusal(lambda: read(shorter, fail_on_data_loss=True)))

    # A query of its own: the refused run has already left its mark in the other's checkpoint.
    went_on = new_topic_with_a_reader("recreated-shorter-false", sent=4)
    recreate(playground, went_on)
    playground.send(went_on, messages[:3])
    shorter_false = read(went_on, fail_on_data_loss=False)
    playground.send(went_on, messages[3:4])
    shorter_false_later = read(went_on, fail_on_data_loss=False)

    longer = new_topic_with_a_reader("recreated-longer", sent=4)
    recreate(playground, longer)
    playground.send(longer, messages[:6])
    longer_true = read(longer, fail_on_data_loss=True)

    playground.say(f"Offsets 2 and 3 deleted, true: {aged_out_true}")
    playground.say(f"Offsets 2 and 3 deleted, false: it went on and read {aged_out_false}.")
    playground.say(f"Created again, shorter, true: {shorter_true}")
    playground.say(
        f"Created again, shorter, false: of offsets 0 to 2 it read {shorter_false}, and when one "
        f"more had come, {shorter_false_later}. What was in the new topic when the query started "
        "is lost without a word."
    )
    playground.say(
        f"Created again, longer, true: no error, and it read {longer_true}: offsets 0 to 3 of the "
        "new topic are lost without a word. The pipeline keeps the topic's id beside the "
        "checkpoint and refuses another topic of that name (pipeline/checkpoints/same_origin.py)."
    )
    return Observed(
        aged_out_true,
        aged_out_false,
        shorter_true,
        shorter_false,
        shorter_false_later,
        longer_true,
    )


def reason(message: str) -> str:
    """Return what was lost; before it Spark says that it will not go on over lost records."""
    return message.rsplit("Reason: ", maxsplit=1)[-1]


def delete_before(playground: Playground, topic: str, offset: int) -> None:
    """Delete the records before an offset, as Kafka does when their retention has passed."""
    with open_admin(playground.bootstrap_servers) as admin:
        admin.delete_records({TopicPartition(topic, 0): offset})


def recreate(playground: Playground, topic: str) -> None:
    """Delete a topic and create it again, empty."""
    with open_admin(playground.bootstrap_servers) as admin:
        delete_topics(admin, [topic])
    playground.topic(topic.removesuffix(playground.suffix))
