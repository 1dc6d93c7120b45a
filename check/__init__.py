"""Prove the guarantees on whatever is in Kafka and the lake: recount the raw topic, compare all."""

from check.run import run_check
from check.verdict import Comparison, Verdict

__all__ = ["Comparison", "Verdict", "run_check"]
