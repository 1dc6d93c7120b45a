"""Of which seed the messages in the embedded Kafka are."""

from contextlib import suppress

from contract.atomic_write import write_atomically
from contract.errors import UserError
from contract.settings import Settings
from demo.stack.kafka_java import is_formatted


def require_same_seed(settings: Settings) -> None:
    """Keep the seed beside Kafka's log; UserError if the messages there are of another one.

    Two worlds in one topic cannot be told apart afterwards: the history of the second comes late
    behind the first, and its cameras have other zip codes.
    """
    folder, seed = settings.state / "kafka", str(settings.seed)
    file, kept = folder / "seed", None
    with suppress(FileNotFoundError):
        kept = file.read_text().strip()
    if kept and kept != seed and is_formatted(folder / "log"):
        raise UserError(
            f"The messages in {folder} are of the homes of NEST_SEED={kept}, and NEST_SEED is now "
            f"{seed}. Set it back; or delete what is there with `nest reset`; or give the others "
            "another NEST_STATE, NEST_LAKE and NEST_CHECKPOINTS."
        )
    if kept != seed:
        folder.mkdir(parents=True, exist_ok=True)
        write_atomically(file, f"{seed}\n")
