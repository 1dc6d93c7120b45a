"""The whole check: gather the findings, judge them by every expectation."""

from check.expectations import EXPECTATIONS
from check.gather import gather_findings
from check.judging import compare_all
from check.notes import notes
from check.recount import OnProgress
from contract.require_object_store import require_object_store
from contract.settings import Settings
from contract.verdict import Verdict


def run_check(
    settings: Settings, on_progress: OnProgress | None = None, *, must_be_complete: bool = False
) -> Verdict:
    """Recount nest-logs and compare every archive row, quarantined record and count with it.

    ``on_progress`` is called with the number of records compared so far, of all records, and of the
    values compared so far. With ``must_be_complete`` the queries must have committed everything,
    as after a bounded run. Raises UserError when Kafka, the lake or the device locations cannot be
    read, and when the pipeline counts by other rules than the settings have.
    """
    require_object_store(settings)
    findings = gather_findings(settings, on_progress or _ignore, must_be_complete=must_be_complete)
    comparisons = compare_all(EXPECTATIONS, findings)
    return Verdict(comparisons, notes(findings), findings.dirt, findings.values)


def _ignore(done: int, total: int, values: int) -> None:
    """Take no notice of the progress."""
