"""``python leave_out.py PACKAGE...``: remove the files of packages that left-out.list names.

Run in the same layer as pip, so that the image never has them. With ``--into FOLDER`` the files
move to that folder, under the same path, for the image that needs them.
"""

import argparse
import shutil
import sys
import sysconfig
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
    found = {pattern: list(site.glob(pattern)) for pattern in patterns}
    unused = [pattern for pattern, paths in found.items() if not paths]
    if unused:
        sys.exit(f"Nothing fits these lines of {LIST.name}:\n" + "\n".join(unused))
    for path in {path for paths in found.values() for path in paths}:
        if into:
            target = into / path.relative_to("/")
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.move(path, target)
        elif path.is_dir():
            shutil.rmtree(path)
        else:
            path.unlink()


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("packages", nargs="+")
    parser.add_argument("--into", type=Path)
    arguments = parser.parse_args()
    site = Path(sysconfig.get_path("purelib"))
    leave_out(site, left_out(arguments.packages), arguments.into)
