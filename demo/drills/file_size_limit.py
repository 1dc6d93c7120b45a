"""Let no file of a Java process grow, so that each of its writes fails as on a full disk.

The operating system does it by a limit, which is lifted again without a trace. Run as a program it
takes the limit and applies it to every Java process here: a drill runs it in the pipeline's
container.
"""

import sys
from collections.abc import Iterable
from contextlib import suppress

from contract.errors import UserError
from demo.drills.java_processes import java_processes

NO_LIMIT = -1
"""Files may grow as far as the system's own limit for the process, if it has one."""


def limit_file_size(processes: Iterable[int], most_bytes: int) -> None:
    """Set the largest size that a file of these processes can grow to, by process id.

    Raises UserError where the system cannot limit another process.
    """
    import resource

    if not hasattr(resource, "prlimit"):
        raise UserError("Only Linux can make writes of another process fail. Try it in Docker.")
    for process in processes:
        with suppress(ProcessLookupError):
            _, hard = resource.prlimit(process, resource.RLIMIT_FSIZE)
            soft = hard if most_bytes == NO_LIMIT else most_bytes
            resource.prlimit(process, resource.RLIMIT_FSIZE, (soft, hard))


if __name__ == "__main__":
    limit_file_size(java_processes(), int(sys.argv[1]))
