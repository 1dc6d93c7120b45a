"""The contenders: each a context that is ready to work, and gives a function that does the job.

The function takes the settings, reads nest-logs from ``starting_offsets`` to what is its end, and
returns when its last write is committed.
"""
