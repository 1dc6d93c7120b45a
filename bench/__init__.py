"""Benchmarks: the pipeline against the published job of 2017 and against what others would write.

``python -m bench`` measures; ``docs/performance.md`` says how and how to read it.
"""
