// Counts from the figure that is shown up to the new one, in about the time until the next comes.

const COUNT_MS = 1000

const shown = new WeakMap()

export default function ({ parentElement, data }) {
  const line = parentElement.querySelector(".nest-headline")
  if (!line || !data) return
  const figure = line.querySelector(".nest-figure")
  const last = shown.get(line)
  const start = last ? last.value() : data.number
  if (last) cancelAnimationFrame(last.frame)
  line.dataset.tone = data.tone
  line.querySelector(".nest-words").textContent = data.words
  const count = { frame: 0, value: () => data.number }
  shown.set(line, count)
  const isStill = matchMedia("(prefers-reduced-motion: reduce)").matches || document.hidden
  if (isStill || start >= data.number) {
    figure.textContent = data.figure
    return
  }
  const began = performance.now()
  const draw = (now) => {
    const share = Math.min(1, (now - began) / COUNT_MS)
    const value = Math.round(start + (data.number - start) * share)
    count.value = () => value
    figure.textContent = share < 1 ? value.toLocaleString("en-US") : data.figure
    if (share < 1) count.frame = requestAnimationFrame(draw)
  }
  count.frame = requestAnimationFrame(draw)
}
