"""What every contender starts from: an embedded Kafka with the same messages."""

import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

from contract.connections import open_admin
from contract.polling import poll_until
from contract.settings import Settings
from contract.topics import CAMERA_STATS, PIPELINE_PROGRESS, Topic
from demo.commands.topics import ensure_topics
from demo.stack.broker import Broker
from demo.stack.ports import free_port

OUTPUTS = (CAMERA_STATS, PIPELINE_PROGRESS)
"""The topics that contenders write."""
_GONE_WITHIN_S = 30.0


@contextmanager
def ground(settings: Settings) -> Iterator[Settings]:
    """Start a Kafka of its own in a temporary folder of ``settings.state``, with the topics.

    Yields the settings to reach it, lake and checkpoints in that folder; all is removed at the end.
    """
    settings.state.mkdir(parents=True, exist_ok=True)
    with TemporaryDirectory(prefix="bench-", dir=settings.state) as name:
        folder = Path(name).resolve()
        with Broker(settings, folder / "kafka", folder / "kafka.log", free_port()) as broker:
            ensure_topics(broker.bootstrap_servers)
            update = {"bootstrap_servers": broker.bootstrap_servers}
            yield within(settings.model_copy(update=update), folder)


def within(settings: Settings, folder: Path) -> Settings:
    """Return the settings with lake and checkpoints in a folder."""
    return settings.model_copy(
        update={"lake": str(folder / "lake"), "checkpoints": str(folder / "checkpoints")}
    )


def folder_of(settings: Settings) -> Path:
    """Return the folder that ``within`` has set."""
    return Path(settings.lake).parent


def renew(settings: Settings, topics: tuple[Topic, ...]) -> None:
    """Delete topics and make them anew, empty."""
    with open_admin(settings.bootstrap_servers) as admin:
        names = [topic.name for topic in topics]
        admin.delete_topics(names)
        poll_until(
            lambda: not set(names) & set(admin.list_topics()), "the topics' end", _GONE_WITHIN_S
        )
    ensure_topics(settings.bootstrap_servers)


def clear(settings: Settings) -> None:
    """Remove what a contender has left: its folder, and its records."""
    shutil.rmtree(folder_of(settings), ignore_errors=True)
    folder_of(settings).mkdir()
    renew(settings, OUTPUTS)
