"""A Kafka of this machine has the messages of one seed."""

from pathlib import Path

import pytest

from contract.errors import UserError
from contract.settings import Settings
from demo.stack.kept_seed import keep_seed, require_same_seed


@pytest.mark.parametrize("log", ["log", "log-1"])
def test_another_seed_is_refused_until_it_is_set_back(tmp_path: Path, log: str) -> None:
    """Also in the folder of several brokers, each of which has a log of its own."""
    first, second = Settings(seed=1), Settings(seed=2)
    require_same_seed(second, tmp_path / "new")
    keep_seed(second, tmp_path)
    require_same_seed(first, tmp_path)  # Kafka has not been started with it
    keep_seed(first, tmp_path)
    (tmp_path / log).mkdir()
    (tmp_path / log / "meta.properties").touch()
    with pytest.raises(UserError, match=r"of NEST_SEED=1, and NEST_SEED is now 2\. Set it back"):
        require_same_seed(second, tmp_path)
    require_same_seed(first, tmp_path)
