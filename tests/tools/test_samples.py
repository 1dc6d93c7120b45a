"""The sample messages in git are the default world's."""

from pathlib import Path

import orjson

from tools.samples import write_samples

IN_GIT = Path(__file__).parents[2] / "data" / "samples"


def test_the_samples_in_git_are_what_make_samples_writes(tmp_path: Path) -> None:
    write_samples(tmp_path)
    written = {path.name: path.read_bytes() for path in tmp_path.iterdir()}
    assert {path.name: path.read_bytes() for path in IN_GIT.iterdir()} == written
    assert len(written) == 6


def test_one_sample_has_every_kind_of_device() -> None:
    devices = orjson.loads((IN_GIT / "every_device.json").read_bytes())["devices"]
    assert devices["thermostats"]
    assert devices["smoke_co_alarms"]
    assert devices["cameras"]
