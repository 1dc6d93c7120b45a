"""A process under the limit cannot write, as on a full disk, and can again when it is lifted."""

import subprocess
import sys
from pathlib import Path

import pytest

from demo.drills.file_size_limit import NO_LIMIT, limit_file_size

WRITER = """
import sys
for line in sys.stdin:
    try:
        with open(sys.argv[1], "w") as file:
            file.write("text")
        print("written", flush=True)
    except OSError as error:
        print(error.strerror, flush=True)
"""


@pytest.mark.parametrize("limit_of_the_system", ["unlimited", "100000"])
def test_writes_fail_while_the_limit_is_set(tmp_path: Path, limit_of_the_system: str) -> None:
    limited = f'ulimit -f {limit_of_the_system} && exec "$@"'
    with subprocess.Popen(
        ["sh", "-c", limited, "sh", sys.executable, "-c", WRITER, str(tmp_path / "file")],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    ) as process:
        assert process.stdin
        assert process.stdout
        answers = []
        for most_bytes in (NO_LIMIT, 0, NO_LIMIT):
            limit_file_size([process.pid], most_bytes)
            process.stdin.write("\n")
            process.stdin.flush()
            answers.append(process.stdout.readline().strip())
        process.stdin.close()
    assert answers == ["written", "File too large", "written"]


def test_a_process_that_has_ended_is_passed_over() -> None:
    with subprocess.Popen([sys.executable, "-c", ""]) as process:
        process.wait()
    limit_file_size([process.pid], 0)
