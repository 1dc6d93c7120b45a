"""The embedded Kafka has the messages of one seed."""

from pathlib import Path

import pytest

from contract.errors import UserError
from contract.settings import Settings
from demo.stack.kept_seed import require_same_seed


def test_another_seed_is_refused_until_it_is_set_back(tmp_path: Path) -> None:
    first = Settings(state=tmp_path, seed=1)
    require_same_seed(Settings(state=tmp_path, seed=3))  # Kafka has not been started with it
    require_same_seed(first)
    (tmp_path / "kafka" / "log").mkdir()
    (tmp_path / "kafka" / "log" / "meta.properties").touch()
    with pytest.raises(UserError, match=r"of NEST_SEED=1, and NEST_SEED is now 2\. Set it back"):
        require_same_seed(Settings(state=tmp_path, seed=2))
    require_same_seed(first)
    require_same_seed(Settings(state=tmp_path / "other", seed=2))
