"""Whether a process of this machine lives."""

import os


def is_alive(pid: int) -> bool:
    """Tell whether there is a process with an id, whoever it belongs to."""
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except OSError:  # it is somebody else's
        return True
    return True
