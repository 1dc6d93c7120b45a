"""What each page says of itself."""

from pathlib import Path

from contract.glossary import meaning
from dashboard import views
from dashboard.data.page_guides import PAGE_GUIDES


def test_every_page_has_a_guide_and_every_term_of_it_is_in_the_glossary():
    files = Path(str(views.__file__)).parent.glob("*.py")
    pages = {file.stem for file in files if f"def {file.stem}_page(" in file.read_text()}
    assert PAGE_GUIDES.keys() == pages - {"present"}
    for guide in PAGE_GUIDES.values():
        assert guide.says
        assert all(map(meaning, guide.terms))
