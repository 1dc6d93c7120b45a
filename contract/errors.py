"""The errors that a person is meant to read: what was wrong, and what to do about it."""


class UserError(Exception):
    """Something a user can cause and mend; the command line prints it without a traceback."""

    exit_code = 1


class NoBroker(UserError):
    """No Kafka broker answers: one that is down comes back, so a service may wait for it."""


class NotThereYet(UserError):
    """Something that another part makes when it starts; until then nothing is wrong."""


class Interrupted(UserError):
    """A signal stopped a command before its end."""

    def __init__(self, message: str, signal: int) -> None:
        super().__init__(message)
        self.exit_code = 128 + signal
