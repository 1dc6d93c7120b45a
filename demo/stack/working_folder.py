"""Folders that a command empties before it works in them, and the jars in them."""

from pathlib import Path

from contract.errors import UserError
from contract.settings import Settings
from demo.stack.kafka_java import KafkaFolderFile, is_formatted
from demo.stack.removal import remove_folder


def empty_working_folder(folder: Path) -> None:
    """Empty a folder, making it if need be.

    Raises UserError where it holds something, and nothing says that a demo has made it.
    """
    if folder.exists() and not _is_ours(folder):
        raise UserError(
            f"{folder.resolve()} has files in it that no demo has made, and this command would "
            "empty it. Set NEST_STATE to another folder."
        )
    remove_folder(folder.resolve())  # a link stays
    folder.resolve().mkdir(parents=True, exist_ok=True)


def link_jars(settings: Settings, state: Path) -> None:
    """Give another state folder the jars that these settings have, so that none is fetched."""
    (state / "jars").symlink_to(settings.state.resolve() / "jars")


def _is_ours(folder: Path) -> bool:
    """Tell whether a folder is empty, or a demo's; it may have been killed as it started."""
    if not folder.is_dir():
        return False
    return (
        not any(folder.iterdir())
        or is_formatted(folder / "kafka" / KafkaFolderFile.LOG)
        or (folder / "kafka" / KafkaFolderFile.PROPERTIES).exists()
        or (folder / "jars").is_symlink()
    )
