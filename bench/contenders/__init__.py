"""The contenders: this project's queries, and other programs that do the same job.

``registry`` lists them. A contender is a context manager that gives a ``Job``.
"""
