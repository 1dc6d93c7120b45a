"""Whether a page can be read: the contrast of each text with what lies below it."""

from playwright.sync_api import Page

LEAST = 4.5

_FAINT = """
least => {
  const parse = text => {
    const numbers = (text.match(/[\\d.]+/g) || []).map(Number);
    return numbers.length >= 3 ? [...numbers.slice(0, 3), numbers[3] ?? 1] : [0, 0, 0, 0];
  };
  const over = (top, below) => [
    ...[0, 1, 2].map(i => top[i] * top[3] + below[i] * (1 - top[3])), 1];
  const light = color => {
    const [r, g, b] = color.slice(0, 3).map(value => {
      const share = value / 255;
      return share <= 0.03928 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
    });
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const below = element => {
    const layers = [];
    for (let each = element; each; each = each.parentElement) {
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
    const ground = below(element);
    const [one, other] = [light(over(color, ground)), light(ground)].sort((a, b) => b - a);
    const contrast = (one + 0.05) / (other + 0.05);
    if (contrast < least) found.push(`${contrast.toFixed(2)}: ${text.slice(0, 60)}`);
  }
  return found;
}
"""


def faint_texts(page: Page) -> list[str]:
    """Return the texts on the page whose contrast is too low, with their contrast.

    What cannot be used now (a disabled button) may be faint.
    """
    found: list[str] = page.evaluate(_FAINT, LEAST)
    return found
