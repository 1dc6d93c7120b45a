"""The flow as definitions for ``spark-pipelines``; the example declarative-pipeline runs it."""
