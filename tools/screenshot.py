"""Take the README's picture of the dashboard: ``make screenshot``."""

import shutil
import sys
from io import BytesIO
from pathlib import Path

from PIL import Image
from playwright.sync_api import Page, expect, sync_playwright
from rich.console import Console

from contract.errors import UserError
from contract.settings import Settings, load_settings
from demo.commands.scratch_demo import SCREENSHOT, scratch_demo, scratch_settings
from demo.stack.addresses import with_kept_addresses

SIZE = {"width": 1280, "height": 960}
_SLOW_MS = 600_000


def take(path: Path, settings: Settings, console: Console) -> None:
    """Start a demo, prove its numbers on the page Proof, and take the page Report."""
    browser = shutil.which("chromium")
    if not browser:
        raise UserError("There is no chromium. On Debian: apt-get install chromium")
    settings = scratch_settings(settings, SCREENSHOT, {})
    with scratch_demo(settings), sync_playwright() as playwright:
        port = with_kept_addresses(settings).dashboard_port
        chromium = playwright.chromium.launch(
            executable_path=browser, args=["--no-sandbox", "--disable-gpu"]
        )
        page = chromium.new_page(viewport=SIZE, timezone_id="America/Los_Angeles")  # type: ignore[arg-type]
        page.set_default_timeout(_SLOW_MS)
        picture = _shoot(page, f"http://localhost:{port}")
        chromium.close()
    path.parent.mkdir(parents=True, exist_ok=True)
    few_colors = Image.open(BytesIO(picture)).convert("RGB").quantize(128)
    few_colors.save(path, optimize=True)
    console.print(f"{path}: {path.stat().st_size // 1000} kB")


def _shoot(page: Page, address: str) -> bytes:
    page.goto(f"{address}/proof")
    page.get_by_role("button", name="Run the check").click()
    expect(page.get_by_text("The check holds")).to_be_visible(timeout=_SLOW_MS)
    page.goto(address)
    expect(page.get_by_text("Check passed")).to_be_visible(timeout=_SLOW_MS)
    expect(page.locator(".vega-embed canvas, .vega-embed svg")).to_have_count(3, timeout=_SLOW_MS)
    expect(page.get_by_test_id("stDataFrame").locator("canvas").first).to_be_visible()
    expect(page.get_by_test_id("stStatusWidget")).to_have_count(0)
    return page.screenshot()


if __name__ == "__main__":
    try:
        take(Path(sys.argv[1]), load_settings(), Console(highlight=False, soft_wrap=True))
    except UserError as error:
        raise SystemExit(str(error)) from None
