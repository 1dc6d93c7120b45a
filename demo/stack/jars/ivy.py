"""Runs the Ivy that pyspark ships, which takes artifacts from Maven Central."""

import subprocess
from collections.abc import Iterable, Iterator
from importlib.util import find_spec
from pathlib import Path
from tempfile import TemporaryDirectory

from contract.errors import UserError
from contract.java import java_command

_SETTINGS = Path(__file__).with_name("ivysettings.xml")


def retrieve(
    module: Path, sets: Iterable[str], pattern: str, log: Path, *, transitive: bool = False
) -> Iterator[int]:
    """Fetch the jars of an Ivy file's configurations; yield how many steps are done, at each more.

    A jar is two steps: it is found, then it is fetched. ``pattern`` says where it goes, in Ivy's
    words. With ``transitive`` what the artifacts need is found as well, in their POMs, which are
    asked for one after the other; without it, no POM is read at all.

    Raises UserError when there is no Ivy or Java, or the jars cannot be fetched.
    """
    log.parent.mkdir(parents=True, exist_ok=True)
    java = [java_command(), f"-Dpoms={str(transitive).lower()}", "-jar", str(_ivy())]
    options = ["-settings", str(_SETTINGS), "-ivy", str(module), "-confs", *sets]
    done, words = 0, ""
    with (
        TemporaryDirectory() as cache,
        log.open("w") as output,
        subprocess.Popen(
            [*java, *options, "-types", "jar", "bundle", "-cache", cache, "-retrieve", pattern],
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
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
            f"{_SETTINGS} says. All that Ivy said is in {log}."
        )


def _ivy() -> Path:
    """Return the path of the Ivy jar in the installed pyspark."""
    spec = find_spec("pyspark")
    home = Path(spec.origin).parent if spec and spec.origin else Path()
    found = sorted(home.glob("jars/ivy-*.jar"))
    if not found:
        raise UserError("Ivy comes with pyspark, which is not installed here. Run `make setup`.")
    return found[-1]
