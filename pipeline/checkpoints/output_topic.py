"""Whether the topic that a query writes to is still the one that has what it has written."""

from contract.errors import UserError
from contract.topics import Topic
from pipeline.checkpoints.checkpoint import Checkpoint
from pipeline.checkpoints.origin import read_origin, topic_id
from pipeline.checkpoints.same_origin import repair_advice


def require_own_output_topic(checkpoint: Checkpoint, topic: Topic) -> str:
    """Return the id of a topic, to which the query has written all that it has written so far.

    Raises UserError if the topic was created again since: it would have only what comes from now
    on. With NEST_FAIL_ON_DATA_LOSS=false the query goes on all the same.
    """
    settings = checkpoint.settings
    present = topic_id(settings, topic)
    if not checkpoint.has_begun() or checkpoint.newest_batches().planned < 0:
        return present
    kept = read_origin(checkpoint)
    is_another = kept is not None and kept.output_topic_id not in ("", present)
    if is_another and settings.fail_on_data_loss:
        raise UserError(
            f"The topic {topic.name} at {settings.bootstrap_servers} is not the one that the query "
            f"{checkpoint.query} has written to so far: it was deleted and created again. What the "
            f"query had written is gone. Run {repair_advice(checkpoint.query)} To go on without "
            "it, set NEST_FAIL_ON_DATA_LOSS=false."
        )
    return present
