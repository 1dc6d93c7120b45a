"""Write the archive of Kafka's classes that each later start of the embedded Kafka uses."""

from pathlib import Path
from tempfile import TemporaryDirectory

from contract.class_sharing import new_class_archive, options_to_write_archive
from contract.settings import Settings
from demo.stack.broker import Broker
from demo.stack.kafka_java import kafka_class_archive
from demo.stack.ports import free_port
from demo.stack.topics import ensure_topics

_STOP_TIMEOUT_S = 120.0
"""Java writes the archive as it ends, for some seconds on a quiet machine."""
_WITHOUT_USERS = {
    name: field.default
    for name, field in Settings.model_fields.items()
    if name.startswith("kafka_") and name != "kafka_memory"
}
"""The settings may lead to a Kafka with users; this one is open."""


def share_kafka_classes(settings: Settings) -> Path:
    """Start a Kafka, create the topics in it, and write the archive of its classes.

    It takes some ten seconds; nothing where the archive is there. Raises UserError when Kafka does
    not start, or Java writes no archive.
    """
    archive = kafka_class_archive(settings)
    if archive.exists():
        return archive
    own = settings.model_copy(update=_WITHOUT_USERS)
    with new_class_archive(archive) as part, TemporaryDirectory() as name:
        folder = Path(name)
        data, log, options = folder / "data", folder / "broker.log", options_to_write_archive(part)
        broker = Broker(own, data, log, port=free_port(), java_options=options)
        broker.stop_timeout = _STOP_TIMEOUT_S
        with broker:
            ensure_topics(broker.bootstrap_servers)
    return archive
