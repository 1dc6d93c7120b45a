"""What a page under test shows, and how to wait for it."""

from collections.abc import Callable

from streamlit.testing.v1 import AppTest

from contract.polling import poll_until


def metrics(page: AppTest) -> dict[str, str]:
    """The page's metrics by their labels, without what follows a comma."""
    return {metric.label.split(",")[0]: metric.value for metric in page.metric}


def text_of(page: AppTest) -> str:
    """The page's text, with badges and captions."""
    elements = [
        *(*page.info, *page.warning, *page.error, *page.success, *page.caption),
        *(*page.code, *page.markdown),
    ]
    return "\n".join(element.value for element in elements)


def shows(text: str) -> Callable[[AppTest], bool]:
    """A condition: the page shows this text."""
    return lambda page: text in text_of(page)


def refresh_until(
    page: AppTest, condition: Callable[[AppTest], object], what: str, timeout: float = 30
) -> AppTest:
    """Run the page again and again until the condition is true."""

    def holds() -> object:
        page.run()
        assert not page.exception, page.exception
        return condition(page)

    poll_until(holds, what, timeout)
    return page
