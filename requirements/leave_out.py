"""``python leave_out.py PACKAGE...``: remove the files of packages that left-out.list names.

Run in the same layer as the installation, so that the image never has them. With ``--into FOLDER``
the files move to that folder, under the same path, for the image that needs them. What a line names
inside a jar, after "!/", is for no image: the jar is written again without it.
"""

import argparse
import shutil
import sys
import sysconfig
import zipfile
from fnmatch import filter as fnmatch_filter
from pathlib import Path

LIST = Path(__file__).with_name("left-out.list")


def lines_about(packages: list[str]) -> list[str]:
    """Return the lines of some packages; exit if there are none for one of them."""
    unknown = set(packages) - {package_of_line(line) for line in lines_of_list()}
    if unknown:
        sys.exit(f"{LIST.name} names nothing of {', '.join(sorted(unknown))}.")
    return [line for line in lines_of_list() if package_of_line(line) in packages]


def lines_of_list() -> list[str]:
    """Return the lines of left-out.list that are no comments."""
    lines = (line.strip() for line in LIST.read_text().splitlines())
    return [line for line in lines if line and not line.startswith("#")]


def package_of_line(line: str) -> str:
    """Return the package that a line is about."""
    return line.partition("/")[0]


def leave_out(site: Path, lines: list[str], into: Path | None) -> None:
    """Remove what the lines name, or move it; exit if one of them fits nothing."""
    unused = [line for line in lines if fits_nothing(site, line)]
    if unused:
        sys.exit(f"Nothing fits these lines of {LIST.name}:\n" + "\n".join(unused))
    for jar, entries in entries_that_fit(site, lines).items():
        _write_without(jar, entries)
    for path in paths_that_fit(site, lines):
        _remove(path, into)


def fits_nothing(site: Path, line: str) -> bool:
    """Return whether a line names nothing that is there."""
    return not paths_that_fit(site, [line]) and not entries_that_fit(site, [line])


def paths_that_fit(site: Path, lines: list[str]) -> set[Path]:
    """Return the files and folders that the lines name."""
    return {path for line in lines if "!/" not in line for path in site.glob(line)}


def entries_that_fit(site: Path, lines: list[str]) -> dict[Path, set[str]]:
    """Return what the lines with "!/" name inside of jars: the names of entries, by the jar."""
    found: dict[Path, set[str]] = {}
    for jar_pattern, entry_pattern in (line.split("!/", 1) for line in lines if "!/" in line):
        for jar in site.glob(jar_pattern):
            with zipfile.ZipFile(jar) as archive:
                if entries := fnmatch_filter(archive.namelist(), entry_pattern):
                    found.setdefault(jar, set()).update(entries)
    return found


def _remove(path: Path, into: Path | None) -> None:
    if into:
        target = into / path.relative_to("/")
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.move(path, target)
    elif path.is_dir():
        shutil.rmtree(path)
    else:
        path.unlink()


def _write_without(jar: Path, entries: set[str]) -> None:
    """Write a jar again without some entries."""
    part = jar.with_suffix(".part")
    with (
        zipfile.ZipFile(jar) as old,
        zipfile.ZipFile(part, "w", zipfile.ZIP_DEFLATED) as new,
    ):
        for entry in old.infolist():
            if entry.filename not in entries:
                new.writestr(entry, old.read(entry))
    part.replace(jar)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("packages", nargs="+")
    parser.add_argument("--into", type=Path)
    arguments = parser.parse_args()
    site = Path(sysconfig.get_path("purelib"))
    leave_out(site, lines_about(arguments.packages), arguments.into)
