"""``python leave_out.py PACKAGE...``: remove the files of packages that left-out.list names.

Run in the same layer as pip, so that the image never has them. With ``--into FOLDER`` the files
move to that folder, under the same path, for the image that needs them. What a line names inside a
jar, after "!/", is for no image: the jar is written again without it.
"""

import argparse
import shutil
import sys
import sysconfig
import zipfile
from fnmatch import filter as fnmatch_filter
from pathlib import Path

LIST = Path(__file__).with_name("left-out.list")


def left_out(packages: list[str]) -> list[str]:
    """Return the patterns of some packages; exit if there are none for one of them."""
    lines = (line.strip() for line in LIST.read_text().splitlines())
    patterns = [line for line in lines if line and not line.startswith("#")]
    unknown = set(packages) - {pattern.split("/")[0] for pattern in patterns}
    if unknown:
        sys.exit(f"{LIST.name} names nothing of {', '.join(sorted(unknown))}.")
    return [pattern for pattern in patterns if pattern.split("/")[0] in packages]


def leave_out(site: Path, patterns: list[str], into: Path | None) -> None:
    """Remove what fits the patterns, or move it; exit if one of them fits nothing."""
    found = {pattern: fitting(site, pattern) for pattern in patterns}
    unused = [pattern for pattern, paths in found.items() if not paths]
    if unused:
        sys.exit(f"Nothing fits these lines of {LIST.name}:\n" + "\n".join(unused))
    in_jars: dict[Path, set[str]] = {}
    for path, entry in {each for fits in found.values() for each in fits}:
        if entry:
            in_jars.setdefault(path, set()).add(entry)
        elif into:
            target = into / path.relative_to("/")
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.move(path, target)
        elif path.is_dir():
            shutil.rmtree(path)
        else:
            path.unlink()
    for jar, entries in in_jars.items():
        _write_without(jar, entries)


def fitting(site: Path, pattern: str) -> list[tuple[Path, str]]:
    """Return what fits a pattern: files and folders, or the entries of jars with their names."""
    name, _, entry_pattern = pattern.partition("!/")
    paths = list(site.glob(name))
    if not entry_pattern:
        return [(path, "") for path in paths]
    found = []
    for jar in paths:
        with zipfile.ZipFile(jar) as archive:
            found += [(jar, entry) for entry in fnmatch_filter(archive.namelist(), entry_pattern)]
    return found


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
    leave_out(site, left_out(arguments.packages), arguments.into)
