// The picture of the pipeline: puts numbers into its stations, draws arrows between them, and sends
// a pulse along an arrow for each batch that was committed since the last numbers.

const SVG = "http://www.w3.org/2000/svg"
const PULSE_MS = 900
const MOST_PULSES = 4

// A picture goes with its element, so nothing is to be cleaned up. A clean-up that is returned here
// would hit the picture on the screen: on a busy page Streamlit calls it for numbers that were
// overtaken by newer ones.
const pictures = new WeakMap()

export default function ({ parentElement, data }) {
  const root = parentElement.querySelector(".nest-pipeline")
  if (!root || !data) return
  if (!pictures.has(root)) pictures.set(root, new Picture(root))
  pictures.get(root).show(data)
}

class Picture {
  constructor(root) {
    this.root = root
    this.svg = root.querySelector("svg")
    this.flows = new Map()
    this.stillness = matchMedia("(prefers-reduced-motion: reduce)")
    new ResizeObserver(() => this.drawPaths()).observe(root)
  }

  show({ description, stations, flows, refreshMs }) {
    this.refreshMs = refreshMs
    setAttribute(this.root, "aria-label", description)
    for (const station of stations) {
      const box = this.box(station.name)
      setAttribute(box, "data-condition", station.condition)
      setAttribute(box, "title", station.meaning)
      setText(box.querySelector(".nest-title"), station.title)
      setText(box.querySelector(".nest-value"), station.value)
      setText(box.querySelector(".nest-note"), station.note)
    }
    let isNew = false
    for (const flow of flows) {
      const name = `${flow.source} ${flow.target}`
      if (!this.flows.has(name)) {
        this.flows.set(name, this.addFlow(flow))
        isNew = true
      }
      this.showFlow(this.flows.get(name), flow)
    }
    if (isNew) this.drawPaths()
  }

  box(name) {
    return this.root.querySelector(`[data-station="${name}"]`)
  }

  addFlow({ source, target, committed }) {
    const group = document.createElementNS(SVG, "g")
    const paths = ["nest-line", "nest-stream", "nest-head"].map((name) => {
      const path = document.createElementNS(SVG, "path")
      path.setAttribute("class", name)
      group.append(path)
      return path
    })
    this.svg.append(group)
    const rate = document.createElement("span")
    rate.className = "nest-rate"
    this.root.append(rate)
    return { source, target, group, paths, rate, committed, pulses: 0 }
  }

  showFlow(shown, { rate, speed, condition, committed, step }) {
    setAttribute(shown.group, "data-condition", condition)
    setAttribute(shown.group, "data-speed", String(speed))
    setText(shown.rate, rate)
    const batches = shown.committed < 0 ? 0 : committed - shown.committed
    shown.committed = committed
    // A number that fell is that of another checkpoint.
    if (batches > 0) this.pulse(shown, Math.min(batches, MOST_PULSES), step)
  }

  pulse(shown, batches, step) {
    shown.pulses += batches
    shown.group.setAttribute("data-pulses", String(shown.pulses))
    if (this.stillness.matches || document.hidden || !shown.path) return
    for (let batch = 0; batch < batches; batch += 1) {
      const delay = step * PULSE_MS + (batch * this.refreshMs) / batches
      this.sendPulse(shown, delay)
    }
  }

  sendPulse(shown, delay) {
    const dot = document.createElement("i")
    dot.className = "nest-pulse"
    dot.setAttribute("aria-hidden", "true")
    dot.style.offsetPath = `path("${shown.path}")`
    this.root.append(dot)
    const timing = { duration: PULSE_MS, delay, easing: "ease-in-out" }
    const run = dot.animate(
      [
        { offsetDistance: "0%", opacity: 0 },
        { opacity: 1, offset: 0.15 },
        { opacity: 1, offset: 0.85 },
        { offsetDistance: "100%", opacity: 0 },
      ],
      timing,
    )
    run.onfinish = () => {
      dot.remove()
      this.glow(shown.target)
    }
    run.oncancel = () => dot.remove()
  }

  glow(name) {
    const color = "var(--st-blue-text-color)"
    this.box(name).animate(
      [{ boxShadow: `0 0 0 0 ${color}` }, { boxShadow: `0 0 0 3px ${color}` }, { boxShadow: `0 0 0 0 ${color}` }],
      { duration: 500, easing: "ease-out" },
    )
  }

  drawPaths() {
    const origin = this.root.getBoundingClientRect()
    if (!origin.width) return
    const rem = parseFloat(getComputedStyle(document.documentElement).fontSize)
    for (const shown of this.flows.values()) {
      const [from, to] = [shown.source, shown.target].map((name) => {
        const box = this.box(name).getBoundingClientRect()
        return {
          left: box.left - origin.left, right: box.right - origin.left,
          top: box.top - origin.top, bottom: box.bottom - origin.top,
          x: (box.left + box.right) / 2 - origin.left, y: (box.top + box.bottom) / 2 - origin.top,
        }
      })
      const isAcross = to.left >= from.right
      const route = isAcross ? across(from, to, rem) : down(from, to, rem)
      shown.path = route.path
      const [line, stream, head] = shown.paths
      line.setAttribute("d", route.path)
      stream.setAttribute("d", route.path)
      head.setAttribute("d", route.head)
      shown.rate.style.left = `${route.label.x}px`
      shown.rate.style.top = `${route.label.y}px`
    }
  }
}

function across(from, to, rem) {
  const [x1, y1, x2, y2] = [from.right, from.y, to.left - 2, to.y]
  const bend = (x2 - x1) / 2
  return {
    path: `M ${x1} ${y1} C ${x1 + bend} ${y1} ${x2 - bend} ${y2} ${x2 - 6} ${y2}`,
    head: `M ${x2} ${y2} l -9 -5.5 v 11 z`,
    // Beside the line: above it, or below where it goes down.
    label: Math.abs(y1 - y2) < 1
      ? { x: (x1 + x2) / 2, y: y2 - 0.9 * rem }
      : { x: x2 - 2.1 * rem, y: y2 + (y2 < y1 ? -0.9 : 0.9) * rem },
  }
}

function down(from, to, rem) {
  const [x1, y1, x2, y2] = [from.x, from.bottom, to.x, to.top - 2]
  const bend = (y2 - y1) * 0.8
  return {
    path: `M ${x1} ${y1} C ${x1} ${y1 + bend} ${x2} ${y2 - bend} ${x2} ${y2 - 6}`,
    head: `M ${x2} ${y2} l -5.5 -9 h 11 z`,
    label: { x: (x1 + x2) / 2 + (x1 === x2 ? 1.9 * rem : 0), y: (y1 + y2) / 2 },
  }
}

function setText(element, text) {
  if (element.textContent !== text) element.textContent = text
}

function setAttribute(element, name, value) {
  if (element.getAttribute(name) !== value) element.setAttribute(name, value)
}
