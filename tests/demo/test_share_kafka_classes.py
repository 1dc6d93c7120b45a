"""`nest jars --share-classes` writes Kafka's classes, whatever Kafka the settings lead to."""

import os
import shutil
from pathlib import Path

import pytest

from contract.settings import load_settings
from demo.stack.kafka_java import kafka_class_archive
from demo.stack.share_kafka_classes import share_kafka_classes


@pytest.mark.kafka
def test_the_archive_is_written_where_the_settings_lead_to_a_kafka_with_users(
    tmp_path: Path,
) -> None:
    jars = load_settings().state.resolve() / "jars" / "broker"
    shutil.copytree(jars, tmp_path / "jars" / "broker", copy_function=os.link)
    for former in tmp_path.rglob("classes-*"):
        former.unlink()
    settings = load_settings().model_copy(
        update={
            "state": tmp_path,
            "kafka_secure": True,
            "kafka_security_protocol": "SASL_SSL",
            "kafka_user": "somebody",
            "kafka_password_file": tmp_path / "password",
            "kafka_ca_file": tmp_path / "ca.pem",
            "kafka_options": '{"bootstrap.timeout.ms": "1"}',
        }
    )
    assert share_kafka_classes(settings) == kafka_class_archive(settings)
    assert kafka_class_archive(settings).stat().st_size > 10_000_000
