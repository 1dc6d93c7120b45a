"""Runs the Ivy that pyspark ships, which takes artifacts from Maven Central."""

import subprocess
from collections.abc import Iterable, Iterator, Sequence
from importlib.util import find_spec
from pathlib import Path
from tempfile import TemporaryDirectory

from contract.errors import UserError
from contract.java import java_command

_SETTINGS = Path(__file__).with_name("ivysettings.xml")
_SIGNS_OF_FAILURE = ("not found", "Exception", "FAILED", "ERROR")


def retrieve(
    module: Path, sets: Iterable[str], pattern: str, log: Path, *, transitive: bool = False
) -> Iterator[int]:
    """Fetch the jars of an Ivy file's configurations; yield how many steps are done so far.

    A jar is two steps: it is found, then it is fetched. ``pattern`` says where it goes, in Ivy's
    words. With ``transitive`` what the artifacts need is found as well, in their POMs, which are
    asked for one after the other; without it, no POM is read at all.

    Raises UserError when there is no Ivy or Java, or the jars cannot be fetched.
    """
    log.parent.mkdir(parents=True, exist_ok=True)
    properties = {"poms": "true", "checksums": "sha1"} if transitive else {}
    java = [java_command(), *(f"-D{key}={value}" for key, value in properties.items())]
    ivy = [*java, "-jar", str(_ivy()), "-settings", str(_SETTINGS), "-ivy", str(module)]
    ivy += ["-confs", *sets, "-types", "jar", "bundle", "-retrieve", pattern]
    fetched, has_failed = 0, True
    with TemporaryDirectory() as cache, log.open("w") as output:
        # A network that breaks off is asked again, as long as each time brings some more.
        while has_failed:
            found, fetched_before, words = 0, fetched, ""
            yield fetched
            with _running([*ivy, "-cache", cache]) as process:
                for line in process.stdout or ():
                    output.write(line)
                    if "[SUCCESSFUL ]" in line:
                        fetched += 1
                    elif "\tfound " in line:
                        found += 1
                    elif any(sign in line for sign in _SIGNS_OF_FAILURE):
                        words = words or line.strip()
                    yield found + fetched
            has_failed = process.returncode != 0
            if has_failed and fetched == fetched_before:
                raise UserError(
                    f"The jars could not be fetched: {words or 'Ivy failed'}\n"
                    "They are fetched once, from Maven Central: this needs the network (behind a "
                    "proxy: JAVA_TOOL_OPTIONS='-Dhttps.proxyHost=... -Dhttps.proxyPort=...'), or a "
                    f"mirror as {_SETTINGS} says. All that Ivy said is in {log}."
                )


def _running(command: Sequence[str]) -> "subprocess.Popen[str]":
    return subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)


def _ivy() -> Path:
    """Return the path of the Ivy jar in the installed pyspark."""
    spec = find_spec("pyspark")
    home = Path(spec.origin).parent if spec and spec.origin else Path()
    found = sorted(home.glob("jars/ivy-*.jar"))
    if not found:
        raise UserError("Ivy comes with pyspark, which is not installed here. Run `make setup`.")
    return found[-1]
