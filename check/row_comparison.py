"""What the comparison of a table's rows has found, whatever they are compared with."""

from dataclasses import dataclass, field

from check.counted_cases import CountedCases


@dataclass(kw_only=True)
class RowComparison:
    """Rows of a table beside those that must be there."""

    required: int = 0
    """Rows that must be there, because the query has committed what they are made of."""
    possible: int = 0
    """Rows that may be there: also those of what is not committed yet."""
    found: int = 0
    """Rows that the table has, except those of records that retention has removed."""
    values: int = 0
    """Values compared; the fields of a struct count one by one."""
    missing: CountedCases = field(default_factory=CountedCases)
    doubled: CountedCases = field(default_factory=CountedCases)
    unexpected: CountedCases = field(default_factory=CountedCases)
    """Rows that nothing asks for."""
    differing: CountedCases = field(default_factory=CountedCases)
    """Values, not rows."""
