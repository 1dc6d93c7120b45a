"""Benchmarks: this pipeline against the published job of 2017 and against other ways to do the job.

``python -m bench`` measures. ``docs/performance.md`` shows the results and says how to read them.
"""
