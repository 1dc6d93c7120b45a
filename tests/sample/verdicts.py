"""The two verdicts that a test shows to those who only ask whether the check holds."""

from contract.verdict import Comparison, Verdict

HOLDS = Verdict([Comparison("rows", "0", "0", True)])
DIFFERS = Verdict([Comparison("rows", "0", "1", False)])
