"""Fetch the jars of jars.lock once, and check them."""

from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from xml.etree import ElementTree as Xml

from contract.errors import UserError
from demo.stack.jars.ivy import retrieve
from demo.stack.jars.lock import DEMO, Jar, jar_problems, locked_jars


def fetch_jars(
    state: Path, progress: Callable[[int, int], None], sets: tuple[str, ...] = DEMO
) -> bool:
    """Make sets of jars under ``state``/jars what jars.lock lists; False if they already are.

    ``progress`` is told how many of how many steps are done; a jar is two, finding and fetching it.
    Raises UserError when the jars cannot be fetched or are not the right ones; then the folder is
    as it was.
    """
    folder = state / "jars"
    problems = jar_problems(folder, sets)
    if not problems:
        return False
    wanted = [jar for jar in locked_jars(sets) if jar.path in problems]
    if wanted:
        folder.mkdir(parents=True, exist_ok=True)
        # On the same disk as the jars, which take their places only when all are the right ones.
        with TemporaryDirectory(prefix=".fetching-", dir=folder) as scratch:
            _retrieve(wanted, Path(scratch), state / "logs" / "jars.log", progress)
            for jar in wanted:
                (folder / jar.path).parent.mkdir(exist_ok=True)
                (Path(scratch) / jar.path).replace(folder / jar.path)
    for path in problems.keys() - {jar.path for jar in wanted}:
        (folder / path).unlink(missing_ok=True)
    return True


def _retrieve(
    wanted: Sequence[Jar], folder: Path, log: Path, progress: Callable[[int, int], None]
) -> None:
    """Fetch jars into an empty folder; UserError unless all of them are the right ones."""
    with TemporaryDirectory() as scratch:
        module = Path(scratch) / "ivy.xml"
        module.write_text(_module(wanted))
        pattern = f"{folder.resolve()}/[conf]/[artifact]-[revision].[ext]"
        for done in retrieve(module, _sets(wanted), pattern, log):
            progress(min(done, 2 * len(wanted)), 2 * len(wanted))
    problems = {jar.path: problem for jar in wanted if (problem := jar.problem(folder))}
    if problems:
        lines = "\n".join(f"  {path}: {problem}" for path, problem in problems.items())
        raise UserError(
            f"These jars are not the ones that this project was tested with:\n{lines}\n"
            "None was taken. Run `nest jars` again; if that does not help, the repository they "
            "come from serves something else (see demo/stack/jars/ivysettings.xml)."
        )


def _module(jars: Iterable[Jar]) -> str:
    """Return an Ivy file that asks for these very jars and for nothing that they need."""
    module = Xml.Element("ivy-module", version="2.0")
    Xml.SubElement(module, "info", organisation="nest", module="jars")
    configurations = Xml.SubElement(module, "configurations")
    for name in _sets(jars):
        Xml.SubElement(configurations, "conf", name=name)
    dependencies = Xml.SubElement(module, "dependencies")
    for jar in jars:
        Xml.SubElement(
            dependencies,
            "dependency",
            {"org": jar.group, "name": jar.artifact, "rev": jar.version},
            conf=f"{jar.set}->default",
            transitive="false",
        )
    return Xml.tostring(module, encoding="unicode")


def _sets(jars: Iterable[Jar]) -> list[str]:
    return sorted({jar.set for jar in jars})
