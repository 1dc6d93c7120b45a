"""The images by digest are those that .env names by tag; an engine is not needed to test it."""

import re
from pathlib import Path

from dotenv import dotenv_values

ROOT = Path(__file__).parents[2]


def test_each_published_image_has_a_digest_of_its_tag() -> None:
    by_tag = {
        name: image
        for name, image in dotenv_values(ROOT / ".env").items()
        if name.endswith("_IMAGE")
    }
    by_digest = dotenv_values(ROOT / "requirements" / "images.env")
    assert by_digest.keys() == by_tag.keys()
    for name, image in by_digest.items():
        assert re.fullmatch(rf"{re.escape(by_tag[name] or '')}@sha256:[0-9a-f]{{64}}", image or "")
