"""Of which seed the messages in a Kafka of this machine are."""

from contextlib import suppress
from pathlib import Path

from contract.atomic_write import write_atomically
from contract.errors import UserError
from contract.settings import Settings
from demo.stack.kafka_java import KafkaFolderFile, is_formatted


def require_same_seed(settings: Settings, folder: Path) -> None:
    """Raise UserError if the messages of the Kafka in a folder are of another seed.

    Two worlds in one topic cannot be told apart afterwards: the history of the second comes late
    behind the first, and its cameras have other zip codes.
    """
    kept = _kept(folder)
    has_messages = any(is_formatted(log) for log in folder.glob("log*"))
    if kept and kept != str(settings.seed) and has_messages:
        raise UserError(
            f"The messages in {folder} are of the homes of NEST_SEED={kept}, and NEST_SEED is now "
            f"{settings.seed}. Set it back; or delete what is there with `nest reset`; or give the "
            "others another NEST_STATE, NEST_LAKE and NEST_CHECKPOINTS."
        )


def keep_seed(settings: Settings, folder: Path) -> None:
    """Keep the seed in the folder of a Kafka, before it gets messages."""
    if _kept(folder) != str(settings.seed):
        write_atomically(folder / KafkaFolderFile.SEED, f"{settings.seed}\n")


def _kept(folder: Path) -> str | None:
    with suppress(FileNotFoundError):
        return (folder / KafkaFolderFile.SEED).read_text().strip()
    return None
