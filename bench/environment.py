"""The environment that all contenders share: an embedded Kafka with the same messages."""

import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

from contract.kafka.connections import open_admin
from contract.settings import Settings
from contract.topic_admin import delete_topics, wanted_topics
from contract.topics import CAMERA_STATS, PIPELINE_PROGRESS, Topic
from demo.stack.broker import Broker
from demo.stack.environment import environment
from demo.stack.nest_argv import nest_argv
from demo.stack.ports import free_port
from demo.stack.service import Service
from demo.stack.topics import ensure_topics

OUTPUT_TOPICS = (CAMERA_STATS, PIPELINE_PROGRESS)
"""The topics that contenders write."""


@contextmanager
def temporary_environment(settings: Settings) -> Iterator[Settings]:
    """Start an embedded Kafka with the topics in a temporary folder of ``settings.state``.

    Yields settings that point to this Kafka, with lake and checkpoints in the same folder. The
    folder is removed at the end.
    """
    settings.state.mkdir(parents=True, exist_ok=True)
    with TemporaryDirectory(prefix="bench-", dir=settings.state) as name:
        folder = Path(name).resolve()
        with Broker(settings, folder / "kafka", folder / "kafka.log", free_port()) as broker:
            ensure_topics(broker.bootstrap_servers, wanted_topics(settings))
            update = {"bootstrap_servers": broker.bootstrap_servers}
            yield with_output_folder(settings.model_copy(update=update), folder)


def with_output_folder(settings: Settings, folder: Path) -> Settings:
    """Return the settings with lake and checkpoints in a folder."""
    return settings.model_copy(
        update={"lake": str(folder / "lake"), "checkpoints": str(folder / "checkpoints")}
    )


def with_state_on_heap(settings: Settings) -> Settings:
    """Return the settings of a contender that keeps its state where the others do: in memory."""
    return settings.model_copy(update={"state_store": "heap"})


def output_folder(settings: Settings) -> Path:
    """Return the folder that ``with_output_folder`` has set."""
    return Path(settings.lake).parent


def live_service(name: str, settings: Settings, *command: str, stop_timeout: float = 15) -> Service:
    """Return a `nest` command as a process, with its log in the output folder."""
    log = output_folder(settings) / f"{name.lower()}.log"
    return Service(
        name,
        nest_argv(*command),
        log=log,
        environment=environment(settings),
        stop_timeout=stop_timeout,
    )


def recreate_topics(settings: Settings, topics: tuple[Topic, ...]) -> None:
    """Delete topics and create them again, empty."""
    with open_admin(settings.bootstrap_servers) as admin:
        delete_topics(admin, (topic.name for topic in topics))
    ensure_topics(settings.bootstrap_servers, wanted_topics(settings))


def clear_outputs(settings: Settings) -> None:
    """Empty the output folder and the output topics."""
    shutil.rmtree(output_folder(settings), ignore_errors=True)
    output_folder(settings).mkdir()
    recreate_topics(settings, OUTPUT_TOPICS)
