"""The exercises of the lab Kill it."""

from collections.abc import Callable

from pyspark.sql import DataFrame

from examples.numbers_stream import Write, gaps_and_doubles, numbers_in, send_numbers, write_numbers
from labs.exercise import Wrong, call, exercise
from labs.lab import Lab

BEFORE, ALL = 40, 70
"""How many numbers were sent before the checkpoint was deleted, and how many in all."""

Options = Callable[[int], dict[str, str | int]]


@exercise("Who writes? And which batch is it?")
def once(lab: Lab, answer: Options) -> str:
    """Take the options of a write; let a stream die with them, and start it again."""
    call(answer, 0)
    topic, table = lab.topic(lab.fresh("once"), 2), lab.fresh("once_table")
    send_numbers(lab, topic, 0, BEFORE)
    write = _writer(lab, table, answer)
    lab.refusal(lambda: write_numbers(lab, topic, write, table, dies_in=1))
    write_numbers(lab, topic, write, table)
    missing, twice = gaps_and_doubles(numbers_in(lab, table), BEFORE)
    if missing:
        raise Wrong(
            f"{len(missing)} numbers are missing. The version has to grow from batch to batch, or "
            "Delta takes a new batch for an old one."
        )
    if twice and answer(1) != answer(1):
        raise Wrong(
            f"{len(twice)} numbers are there twice: these options differ each time they are "
            "asked for, so Delta cannot know that the batch is the same."
        )
    if twice:
        raise Wrong(
            f"{len(twice)} numbers are there twice: batch 1 was not recognised when it ran again. "
            "Which of the two options tells one batch from another?"
        )
    return f"it died in batch 1 and started again: {BEFORE} numbers, none missing, none twice."


@exercise("In how many batches does the new start read 70 numbers, and what are their ids?")
def new_checkpoint(lab: Lab, missing: int, twice: int) -> str:
    """Take how many numbers are missing under the old id, and how many are double under a new."""
    if missing == 0:
        raise Wrong(
            "none missing? The new start has the batches 0 to 3, and Delta has seen batches with "
            "these numbers. It does not look at the rows."
        )
    if missing == ALL:
        raise Wrong("what was in the table before is still there: nothing deletes it.")
    if missing != ALL - BEFORE:
        raise Wrong(
            f"{missing} missing? With 20 in a batch, 70 numbers are the batches 0, 1, 2 and 3: "
            "which of these has Delta not seen?"
        )
    if twice == 0:
        raise Wrong(
            "under a new id Delta knows of no batch. The start reads the topic from its beginning, "
            "and what does the table have already?"
        )
    if twice != BEFORE:
        raise Wrong(f"{twice} twice? Under a new id all 70 are written. Which were there before?")
    topic, table = lab.topic(lab.fresh("over"), 2), lab.fresh("over_table")
    send_numbers(lab, topic, 0, BEFORE)
    write_numbers(lab, topic, _write_as(lab, table, "old"), f"{table}-first")
    send_numbers(lab, topic, BEFORE, ALL)
    found = []
    for app_id in ("old", "new"):
        write = _write_as(lab, table, app_id)
        write_numbers(lab, topic, write, f"{table}-{app_id}", per_batch=20)
        found.append(gaps_and_doubles(numbers_in(lab, table), ALL))
    return (
        f"Spark did it just now: {len(found[0][0])} of {ALL} missing under the old id, "
        f"{len(found[1][1])} twice under a new one."
    )


def _write_as(lab: Lab, table: str, app_id: str) -> Write:
    return _writer(lab, table, lambda batch_id: {"txnAppId": app_id, "txnVersion": batch_id})


_WHY = {
    "availableNow": (
        "once a night is enough: a query that runs all day would cost a machine all day."
    ),
    "processingTime": (
        "some seconds are allowed, and there are counts, so state: a batch every few seconds."
    ),
    "realTime": "a micro-batch takes some hundred milliseconds, which is too long for a door.",
}


@exercise("How old may the result be, and what does it cost to be faster?")
def triggers(lab: Lab, answer: dict[str, str]) -> str:
    """Take a trigger for each of three wishes."""
    wishes = dict(zip(answer, ("availableNow", "processingTime", "realTime"), strict=True))
    for wish, right in wishes.items():
        if answer[wish] not in _WHY:
            raise Wrong(f"{answer[wish]!r} is none of the three triggers.")
        if answer[wish] != right:
            raise Wrong(f"for {wish}: {_WHY[right]}")
    return "as rarely as allowed, as often as needed."


def _writer(lab: Lab, table: str, options: Options) -> Write:
    def write(rows: DataFrame, batch_id: int) -> None:
        chosen = options(batch_id)
        rows.write.format("delta").mode("append").options(**chosen).save(lab.table(table))

    return write
