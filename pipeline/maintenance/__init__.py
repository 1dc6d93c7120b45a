"""Keep the Delta tables small and fast to read, while the queries write to them and people read.

OPTIMIZE merges the small files of the micro-batches, VACUUM deletes files that no version within
the retention needs, and Delta cleans its own log.
"""
