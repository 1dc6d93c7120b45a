"""Write the archive of Kafka's classes that each later start of the embedded Kafka uses."""

from pathlib import Path
from tempfile import TemporaryDirectory

from contract.class_sharing import new_class_archive, options_to_write_archive
from contract.settings import Settings
from demo.stack.broker import Broker
from demo.stack.kafka_java import kafka_class_archive
from demo.stack.ports import free_port
from demo.stack.security.credentials import without_users
from demo.stack.topics import ensure_topics

_STOP_TIMEOUT_S = 120.0
"""Java writes the archive as it ends, for some seconds on a quiet machine."""


def share_kafka_classes(settings: Settings) -> Path:
    """Start a Kafka, create the topics in it, and write the archive of its classes.

    It takes some ten seconds; nothing where the archive is there. Raises UserError when Kafka does
    not start, or Java writes no archive.
    """
    archive = kafka_class_archive(settings)
    if archive.exists():
        return archive
    with new_class_archive(archive) as part, TemporaryDirectory() as name:
        folder = Path(name)
        data, log, options = folder / "data", folder / "broker.log", options_to_write_archive(part)
        broker = Broker(without_users(settings), data, log, port=free_port(), java_options=options)
        broker.stop_timeout = _STOP_TIMEOUT_S
        with broker:
            ensure_topics(broker.bootstrap_servers)
    return archive
