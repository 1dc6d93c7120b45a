"""The one error that a person is meant to read: what was wrong, and what to do about it."""


class UserError(Exception):
    """Something a user can cause and mend; the command line prints it without a traceback."""
