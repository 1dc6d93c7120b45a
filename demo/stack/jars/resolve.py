"""Fetch the jars once, with the Ivy that pyspark ships, and check them."""

import shutil
import subprocess
from collections.abc import Callable, Iterator
from importlib.util import find_spec
from pathlib import Path

from contract.errors import UserError
from contract.java import java_command
from demo.stack.jars.checksums import DEMO, jar_problems, jars_of

_HERE = Path(__file__).parent


def fetch_jars(
    state: Path, progress: Callable[[int, int], None], groups: tuple[str, ...] = DEMO
) -> bool:
    """Make groups of jars under ``state``/jars what jars.sha256 lists; False if they already are.

    ``progress`` is told how many of how many steps are done; a jar is two, finding and fetching it.
    Raises UserError when the jars cannot be fetched or are not the right ones.
    """
    folder = state / "jars"
    problems = jar_problems(folder, groups)
    if not problems:
        return False
    groups = tuple(group for group in groups if any(_is_of(group, path) for path in problems))
    for path in problems:
        (folder / path).unlink(missing_ok=True)
    cache, log = state / "ivy", state / "logs" / "jars.log"
    log.parent.mkdir(parents=True, exist_ok=True)
    total = 2 * len(jars_of(groups))
    for done in _run_ivy(folder, cache, log, groups):
        progress(min(done, total), total)
    problems = jar_problems(folder, groups)
    shutil.rmtree(cache, ignore_errors=True)
    if problems:
        lines = "\n".join(f"  {folder / path}: {problem}" for path, problem in problems.items())
        raise UserError(
            f"These jars are not the ones that this project was tested with:\n{lines}\n"
            "Run `nest jars` again; if that does not help, the repository they come from serves "
            "something else (see demo/stack/jars/ivysettings.xml)."
        )
    return True


def _is_of(group: str, path: str) -> bool:
    return path.startswith(f"{group}/")


def _run_ivy(folder: Path, cache: Path, log: Path, groups: tuple[str, ...]) -> Iterator[int]:
    """Run Ivy; yield how many jars it has found and fetched, at each one more."""
    command = [
        java_command(),
        "-jar",
        str(_ivy()),
        *("-settings", str(_HERE / "ivysettings.xml")),
        *("-ivy", str(_HERE / "ivy.xml")),
        *("-cache", str(cache.resolve())),
        *("-confs", *groups),
        *("-types", "jar", "bundle"),
        *("-retrieve", f"{folder.resolve()}/[conf]/[artifact]-[revision].[ext]"),
    ]
    done, words = 0, ""
    with (
        log.open("w") as output,
        subprocess.Popen(
            command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
        ) as ivy,
    ):
        yield done
        for line in ivy.stdout or ():
            output.write(line)
            if "[SUCCESSFUL ]" in line or "\tfound " in line:
                done += 1
                yield done
            elif any(sign in line for sign in ("not found", "Exception", "FAILED", "ERROR")):
                words = words or line.strip()
    if ivy.returncode:
        raise UserError(
            f"The jars could not be fetched: {words or 'Ivy failed'}\n"
            "They are fetched once, from Maven Central: this needs the network (behind a proxy: "
            "JAVA_TOOL_OPTIONS='-Dhttps.proxyHost=... -Dhttps.proxyPort=...'), or a mirror as "
            f"demo/stack/jars/ivysettings.xml says. All that Ivy said is in {log}."
        )


def _ivy() -> Path:
    """Return the path of the Ivy jar in the installed pyspark."""
    spec = find_spec("pyspark")
    home = Path(spec.origin).parent if spec and spec.origin else Path()
    found = sorted(home.glob("jars/ivy-*.jar"))
    if not found:
        raise UserError("Ivy comes with pyspark, which is not installed here. Run `make setup`.")
    return found[-1]
