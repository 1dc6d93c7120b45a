"""The check shares nothing with what it checks, so that no mistake is made in both at once."""

from pathlib import Path

import check
from tests.imports import imported_modules

ALLOWED = {
    "contract.kafka.bounded_read",
    "contract.arrow_filesystems",
    "contract.require_object_store",
    "contract.kafka.connections",
    "contract.errors",
    "contract.lake",
    "contract.progress",
    "contract.quantities",
    "contract.queries",
    "contract.settings",
    "contract.topics",
    "contract.verdict",
}
"""What says where things are; how they are read, redacted and counted is not among it."""
FILES = sorted(Path(check.__file__).parent.rglob("*.py"))


def test_the_check_imports_no_other_room_and_only_a_part_of_the_contract() -> None:
    of_other_rooms = {
        (file.name, module)
        for file in FILES
        for module in imported_modules(file)
        if module.split(".")[0] != "check"
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
        assert not {module for module in imported_modules(file) if module.startswith("contract")}
