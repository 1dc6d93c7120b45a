"""What a page under test shows, and how to wait for it."""

from collections.abc import Callable

from streamlit.testing.v1 import AppTest

from contract.polling import poll_until


def figures(page: AppTest) -> dict[str, str]:
    """The page's figures by their labels, without what follows a comma."""
    return {metric.label.split(",")[0]: metric.value for metric in page.metric}


def words(page: AppTest) -> str:
    """What the page says, badges and captions included."""
    shown = [
        *(*page.info, *page.warning, *page.error, *page.success, *page.caption),
        *(*page.code, *page.markdown),
    ]
    return "\n".join(element.value for element in shown)


def says(text: str) -> Callable[[AppTest], bool]:
    """Tell whether a page says this."""
    return lambda page: text in words(page)


def refresh_until(
    page: AppTest, condition: Callable[[AppTest], object], what: str, timeout: float = 30
) -> AppTest:
    """Run the page again and again until the condition holds."""

    def holds() -> object:
        page.run()
        assert not page.exception, page.exception
        return condition(page)

    poll_until(holds, what, timeout)
    return page
