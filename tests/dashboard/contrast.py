"""The contrast of each text on a page with its background."""

from playwright.sync_api import Page

MIN_CONTRAST = 4.5
"""What WCAG 2 asks for at level AA."""

_LOW_CONTRAST_TEXTS = """
minContrast => {
  const parse = text => {
    const numbers = (text.match(/[\\d.]+/g) || []).map(Number);
    return numbers.length >= 3 ? [...numbers.slice(0, 3), numbers[3] ?? 1] : [0, 0, 0, 0];
  };
  const over = (top, below) => [
    ...[0, 1, 2].map(i => top[i] * top[3] + below[i] * (1 - top[3])), 1];
  const luminance = color => {
    const [r, g, b] = color.slice(0, 3).map(value => {
      const share = value / 255;
      return share <= 0.03928 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
    });
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const backgroundOf = element => {
    const layers = [];
    const width = element.getBoundingClientRect().width;
    for (let each = element; each; each = each.parentElement) {
      // A text that is wider does not stand in it, like the value above the thumb of a slider.
      if (each.getBoundingClientRect().width < width - 1) continue;
      layers.push(parse(getComputedStyle(each).backgroundColor));
      if (layers.at(-1)[3] === 1) break;
    }
    return layers.reverse().reduce((found, layer) => over(layer, found), [255, 255, 255, 1]);
  };
  const found = [];
  const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (texts.nextNode()) {
    const element = texts.currentNode.parentElement;
    const text = texts.currentNode.textContent.trim();
    if (!text || element.getBoundingClientRect().width < 2) continue;
    if (!element.checkVisibility({opacityProperty: true, visibilityProperty: true})) continue;
    if (element.closest('canvas, svg, style, script, noscript, [disabled]')) continue;
    if (element.closest('[aria-hidden=true], [data-stale=true]')) continue;
    let color = parse(getComputedStyle(element).color);
    for (let each = element; each; each = each.parentElement)
      color[3] *= Number(getComputedStyle(each).opacity);
    const background = backgroundOf(element);
    const [one, other] = [luminance(over(color, background)), luminance(background)]
      .sort((a, b) => b - a);
    const contrast = (one + 0.05) / (other + 0.05);
    if (contrast < minContrast) found.push(`${contrast.toFixed(2)}: ${text.slice(0, 60)}`);
  }
  return found;
}
"""


def low_contrast_texts(page: Page) -> list[str]:
    """Return the texts on the page whose contrast is too low, with their contrast.

    A disabled control may have a low contrast.
    """
    found: list[str] = page.evaluate(_LOW_CONTRAST_TEXTS, MIN_CONTRAST)
    return found
