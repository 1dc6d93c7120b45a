"""The flow as a declarative pipeline of Spark."""

import pytest

from contract.errors import UserError
from examples.delta import declarative_pipeline
from examples.delta.declarative_pipeline import Observed, run
from examples.playground import Playground

pytestmark = pytest.mark.spark


def test_every_camera_is_stored_and_every_sighting_counted(playground: Playground) -> None:
    assert run(playground) == Observed(cameras=439, sightings=126, counted=126)


def test_missing_packages_are_named(
    playground: Playground, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(declarative_pipeline, "MODULES", {"no_such_module": "some-package"})
    with pytest.raises(UserError, match=r"needs some-package: pip install 'pyspark\[pipelines\]'"):
        run(playground)
