"""Prove the guarantees on whatever is in Kafka and the lake: recount the raw topic, compare all."""

from demo.check.run import run_check
from demo.check.verdict import Comparison, Verdict

__all__ = ["Comparison", "Verdict", "run_check"]
