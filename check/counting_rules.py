"""By which rules the queries count: the check has to judge by the same.

By others it would call right counts wrong, and not say why.
"""

from collections.abc import Callable, Mapping
from functools import cache

from contract.errors import UserError
from contract.progress import LOCATIONS_RULE, QueryProgress
from contract.quantities import format_quantity
from contract.queries import Query
from contract.settings import Settings

_SETTINGS = {"lateness", "clock_skew"}
_REMARKS = {
    "NEST_CLOCK_SKEW": (
        " The table quarantine is to be written anew then, too: `nest repair archive --new-tables`."
    )
}
"""What else there is to do where a setting is to be another one."""


def require_same_counting_rules(
    latest: Mapping[str, QueryProgress], settings: Settings, location_digest: Callable[[], str]
) -> None:
    """Raise UserError if a query counts by another setting or other device locations.

    ``latest`` is the newest progress by query. A rule that it does not tell is not judged, as in
    that of an older version.
    """
    values = settings.model_dump(include=_SETTINGS)
    ours = {f"NEST_{name.upper()}": value for name, value in values.items()}
    digest = cache(location_digest)
    for query in settings.queries:
        rules = latest[query].counting_rules if query in latest else {}
        for name, value in ours.items():
            if rules.get(name, value) != value:
                raise _other_setting(query, name, rules[name], value)
        if LOCATIONS_RULE in rules and rules[LOCATIONS_RULE] != digest():
            raise _other_locations(
                query, settings.device_locations, rules[LOCATIONS_RULE], digest()
            )


def _other_setting(query: Query, name: str, theirs: str, ours: str) -> UserError:
    return UserError(
        f"The query {query} counts by {name}={theirs}, and this check would judge by "
        f"{name}={ours}. {_what_to_do(f'{name}={ours}')}{_REMARKS.get(name, '')}"
    )


def _other_locations(query: Query, uri: str, theirs: str, ours: str) -> UserError:
    devices_there, devices = (int(digest.partition("-")[0]) for digest in (theirs, ours))
    number = format_quantity(devices_there, "device")
    difference = f"that one has {number}, this one {devices:,}"
    if devices_there == devices:
        difference = f"that one has {number}, too, but others or elsewhere"
    return UserError(
        f"The query {query} counts with another table than NEST_DEVICE_LOCATIONS={uri}: "
        f"{difference}. {_what_to_do('this table')} The demo's own table follows from NEST_SEED "
        "and NEST_HOMES."
    )


def _what_to_do(wanted_rule: str) -> str:
    return (
        f"Set it as the pipeline has it. If the pipeline is to count by {wanted_rule}, stop it, "
        "rebuild the counts from the first message with `nest pipeline --rebuild-counts`, and "
        "check again."
    )
