"""The list of forgotten homes is refused where somebody has damaged it, and never half read."""

from pathlib import Path

import pytest

from check.forgotten import read_forgotten
from contract.errors import UserError
from contract.forgotten import Forgotten, decode_forgotten
from contract.lake import forgotten_uri

DAMAGED = [
    *("", "[]", "1", "{}", '{"salt":"a"}', '{"salt":"a","digests":1}'),
    '{"salt":1,"digests":[1]}',
    '{"salt":1,"digests":["b"]}',
    '{"salt":null,"digests":[]}',
    '{"salt":"a","digests":[1]}',
    '{"salt":"a","digests":[["b"]]}',
    '{"salt":"a","digests":"bcd"}',
    '{"salt":"a","digests":{"b":1}}',
    '{"salt":"a","digests":["b"],"also_reported":1}',
    '{"salt":"a","digests":["b"],"also_reported":[1]}',
    '{"salt":"a","digests":["b"],"is_removed":"no"}',
]


@pytest.mark.parametrize("text", DAMAGED)
def test_a_damaged_list_is_refused_by_the_check_and_by_the_pipeline(
    text: str, tmp_path: Path
) -> None:
    Path(forgotten_uri(str(tmp_path))).write_text(text)
    with pytest.raises(UserError, match=r"The list of forgotten homes .* cannot be read"):
        read_forgotten(str(tmp_path))
    with pytest.raises(ValueError, match=r"forgotten homes|Expecting value"):
        decode_forgotten(text)


def test_check_and_pipeline_read_the_same_list(tmp_path: Path) -> None:
    forgotten = Forgotten().with_ids(["home-1"])
    Path(forgotten_uri(str(tmp_path))).write_text(forgotten.encode())
    found = read_forgotten(str(tmp_path))
    assert found is not None
    assert (found.salt, found.digests) == (forgotten.salt, forgotten.digests)
    assert (found.is_removed, forgotten.is_removed) == (False, False)
    assert found.has("home-1")
    assert decode_forgotten(forgotten.encode()) == forgotten
