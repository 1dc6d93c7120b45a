"""Prove the guarantees on whatever is in Kafka and the lake: recount nest-logs, compare everything.

The check must not share a mistake with what it checks. It imports nothing of producer, pipeline,
dashboard and demo. Of contract it uses what says where things are: settings, connections, bounded
reads, topics, the progress log, the names of tables and queries, and the form of the verdict. It
does not use what says how things are read and counted (``contract.redaction``,
``contract.instants``, ``contract.stats`` and others): documents, timestamps, credentials, columns,
reasons and windows are read by code and literals of its own in ``check.rules`` and beside it.
Whoever changes a rule changes it twice, and the same mistake would have to be made twice to pass.
"""

from check.run import run_check
from contract.verdict import Comparison, Verdict

__all__ = ["Comparison", "Verdict", "run_check"]
