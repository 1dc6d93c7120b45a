"""Keep the Delta tables small and fast to read, while the queries write to them and people read.

OPTIMIZE merges the small files of the micro-batches, VACUUM deletes files that no version within
the retention needs, and old entries of the log are deleted once no stream asks for them.
"""
