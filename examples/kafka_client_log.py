"""The log of kafka-python, which an example and a lab keep from the screen."""

import logging


def silence_kafka_client() -> None:
    """Show nothing of what kafka-python logs, errors included.

    It logs an error at each of its tries. Of an error that matters an example says so itself.
    """
    logging.getLogger("kafka").setLevel(logging.CRITICAL)
