"""What the notebooks work with: a Kafka, a Spark and a folder of their own, and their exercises."""

from labs.lab import Lab, open_lab

__all__ = ["Lab", "open_lab"]
