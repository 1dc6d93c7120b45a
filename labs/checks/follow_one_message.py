"""The exercises of the lab Follow one message."""

from collections.abc import Sequence

from pyspark.sql import DataFrame

from contract.lake import CAMERA
from contract.topics import NEST_LOGS
from examples.playground import SEED
from labs.exercise import Wrong, exercise
from labs.lab import Lab
from producer.world.homes import build_home

MINE = "Typed by hand"


@exercise("A record has the attributes `partition` and `offset`. Which of the list is the last?")
def position(lab: Lab, answer: Sequence[int]) -> str:
    """Take partition and offset of the home's last message before the learner's own."""
    key = build_home(SEED, 0).structure_id.encode()
    records = [each for each in lab.records(NEST_LOGS.name) if MINE.encode() not in each.value]
    ours = [(each.partition, each.offset) for each in records if each.key == key]
    if not isinstance(answer, tuple | list) or len(answer) != 2:
        raise Wrong(f"{answer} is not a pair: two numbers in parentheses, with a comma.")
    answer = answer[0], answer[1]
    if answer == ours[-1]:
        return f"our home has sent {len(ours)} messages, and this is the newest of them."
    if tuple(reversed(answer)) == ours[-1]:
        raise Wrong("the numbers are in the other order. First the partition, then the offset.")
    if answer == ours[0]:
        raise Wrong("this is our home's first message. Offsets grow: take the other end.")
    if answer in ours:
        raise Wrong("this is a message of our home, but it has sent others after it.")
    if answer in [(each.partition, each.offset) for each in records]:
        raise Wrong(
            "the message there is of another home. All messages of our home have its structure_id "
            "as their key: look among these."
        )
    raise Wrong(
        f"there is no record at partition {answer[0]}, offset {answer[1]}. Offsets begin with 0 "
        "in each partition."
    )


@exercise("Two comparisons, joined by AND; an f-string puts the numbers in.")
def row(lab: Lab, answer: str) -> str:
    """Take the condition that finds the row of the learner's record in ``camera``."""
    camera = lab.spark.read.format("delta").load(lab.table(CAMERA))
    found = camera.where(answer)
    positions = _positions(found)
    mine = _positions(camera.where(f"name = '{MINE}'"))
    names = answer.lower()
    if "partition" not in names and "offset" not in names:
        raise Wrong(
            "this looks at what is in the row. Another message may say the same: ask for the "
            "record's position instead, its partition and its offset."
        )
    if mine < positions and "partition" not in names:
        raise Wrong(
            f"this finds records of {len({each[0] for each in positions})} partitions: each "
            "partition has its own offset with this number."
        )
    if mine < positions:
        raise Wrong(f"this finds {len(positions)} records, and yours is one of them.")
    if positions != mine:
        raise Wrong(
            f"this finds {len(positions)} records, and yours is not among them. `ours` has the "
            "numbers that the broker gave it; in an f-string they stand in braces."
        )
    return "one record, one row. Its position leads from the lake back to Kafka, for every row."


def _positions(rows: DataFrame) -> set[tuple[int, int]]:
    return {(each.partition, each.offset) for each in rows.select("partition", "offset").collect()}


@exercise("Where is the home (step 1), and when did your event begin (step 4)?")
def counted(lab: Lab, answer: tuple[str, str]) -> str:
    """Take the zip code and the hour of the learner's sighting."""
    zip_code, hour = map(str, answer)
    if hour.startswith("16"):
        raise Wrong(
            "at 16:03 your message was sent. Counts are by the time at which the event began, so a "
            "late message changes no other hour."
        )
    if hour.startswith(("07", "7", "08", "8")):
        raise Wrong("that is the time in California. All hours here are UTC.")
    if hour not in {"15:00", "15"}:
        raise Wrong("the hour is not right: write it as 14:00, the start of the hour in UTC.")
    if zip_code != build_home(SEED, 0).place.zip_code:
        raise Wrong(f"{zip_code} is not where our home is. Step 1 prints its zip code.")
    return "the event's own time decides the hour, and the camera's place the zip code."
