"""The check shares nothing with what it checks, so that no mistake is made in both at once."""

import ast
from pathlib import Path

import check

ALLOWED = {
    "contract.kafka.bounded_read",
    "contract.arrow_filesystems",
    "contract.bucket_access",
    "contract.kafka.connections",
    "contract.errors",
    "contract.lake",
    "contract.progress",
    "contract.queries",
    "contract.settings",
    "contract.topics",
    "contract.verdict",
}
"""What says where things are; how they are read, redacted and counted is not among it."""
ROOMS = ("producer", "pipeline", "dashboard", "demo", "bench", "tools", "tests")
FILES = sorted(Path(check.__file__).parent.rglob("*.py"))


def imported(file: Path) -> set[str]:
    """Modules that a file imports; ``from package import module`` names the module."""
    modules = set()
    for node in ast.walk(ast.parse(file.read_text())):
        if isinstance(node, ast.Import):
            modules |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{file} has a relative import"
            if node.module == "contract":
                modules |= {f"contract.{alias.name}" for alias in node.names}
            else:
                modules.add(node.module or "")
    return modules


def test_the_check_imports_no_other_room_and_only_a_part_of_the_contract() -> None:
    of_other_rooms = {
        (file.name, module)
        for file in FILES
        for module in imported(file)
        if module.split(".")[0] in (*ROOMS, "contract")
    }
    assert {module for _, module in of_other_rooms} == ALLOWED


def test_no_module_is_imported_by_its_name_as_text() -> None:
    for file in FILES:
        assert "import_module" not in file.read_text()
        assert "__import__" not in file.read_text()


def test_the_rules_for_one_record_need_nothing_of_the_contract() -> None:
    rules = [file for file in FILES if file.parent.name == "rules"]
    assert rules
    for file in rules:
        assert not {module for module in imported(file) if module.startswith("contract")}
