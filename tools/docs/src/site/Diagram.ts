/** State diagrams of Mermaid as SVG, drawn when the site is built: a reader needs no script and no network. */

import { Graph, layout } from "@dagrejs/dagre"
import { escaped } from "@pay/schema/Markup"

interface Transition {
  readonly from: string
  readonly to: string
  readonly label: string
}

interface StateDiagram {
  readonly transitions: ReadonlyArray<Transition>
  /** The notes by state. A note is printed below the name of its state. */
  readonly notes: ReadonlyMap<string, string>
}

/** Mermaid's name of the start state and of the end state. */
const marker = "[*]"

const transitionLine = /^(\[\*\]|\w+) --> (\[\*\]|\w+)(?:: (.+))?$/
const noteLine = /^note right of (\w+): (.+)$/

/** Parses a state diagram of the documents: transitions and notes. Returns `undefined` for any other diagram. */
export const parse = (text: string): StateDiagram | undefined => {
  const [kind, ...lines] = text.trim().split("\n")
  if (kind?.trim() !== "stateDiagram-v2") return undefined
  const labels = new Map<string, Transition>()
  const notes = new Map<string, string>()
  for (const line of lines.map((each) => each.trim()).filter(Boolean)) {
    const [, state, note] = noteLine.exec(line) ?? []
    const [, from, to, label = ""] = transitionLine.exec(line) ?? []
    if (state !== undefined && note !== undefined) notes.set(state, note)
    else if (from !== undefined && to !== undefined) {
      const key = `${from} ${to}`
      const earlier = labels.get(key)?.label
      labels.set(key, { from, to, label: earlier === undefined ? label : `${earlier}, ${label}` })
    } else return undefined
  }
  return { transitions: [...labels.values()], notes }
}

interface Size {
  readonly width: number
  readonly height: number
}

interface Point {
  readonly x: number
  readonly y: number
}

const characterWidth = 7.4
const lineHeight = 17
const dotSize = 14

const width = (text: string): number => text.length * characterWidth

const sizeOf = (state: string, note: string | undefined): Size =>
  state === start || state === end
    ? { width: dotSize, height: dotSize }
    : {
        width: Math.max(width(state), width(note ?? "") * 0.85) + 26,
        height: note === undefined ? 34 : 34 + lineHeight
      }

const start = "start"
const end = "end"

const named = ({ from, label, to }: Transition): Transition => ({
  from: from === marker ? start : from,
  to: to === marker ? end : to,
  label
})

const round = (value: number): number => Math.round(value * 10) / 10

/** Returns the SVG path of a smooth line through the points of the layout. */
const path = (points: ReadonlyArray<Point>): string => {
  const [first, ...others] = points
  if (first === undefined) return ""
  let text = `M${round(first.x)} ${round(first.y)}`
  for (const [index, point] of others.entries()) {
    const next = others[index + 1]
    if (next === undefined) text += ` L${round(point.x)} ${round(point.y)}`
    else
      text += ` Q${round(point.x)} ${round(point.y)} ${round((point.x + next.x) / 2)} ${round((point.y + next.y) / 2)}`
  }
  return text
}

/** Returns the SVG path of a transition from a state to itself: an arc at the state's right side, out to the label. */
const loop = ({ width: wide, x, y }: Size & Point, labelX: number): string => {
  const right = round(x + wide / 2)
  return `M${right} ${round(y - 8)} C${round(labelX)} ${round(y - 26)} ${round(labelX)} ${round(y + 26)} ${right} ${round(y + 8)}`
}

const box = (state: string, note: string | undefined, { height, width: wide, x, y }: Size & Point): string => {
  if (state === start) return `<circle class="dot" cx="${round(x)}" cy="${round(y)}" r="7"/>`
  if (state === end)
    return `<circle class="ring" cx="${round(x)}" cy="${round(y)}" r="7"/><circle class="dot" cx="${round(x)}" cy="${round(y)}" r="4"/>`
  const name = note === undefined ? y : y - lineHeight / 2
  return [
    `<rect x="${round(x - wide / 2)}" y="${round(y - height / 2)}" width="${round(wide)}" height="${height}" rx="7"/>`,
    `<text x="${round(x)}" y="${round(name)}">${escaped(state)}</text>`,
    ...(note === undefined
      ? []
      : [`<text class="note" x="${round(x)}" y="${round(y + lineHeight / 2)}">${escaped(note)}</text>`])
  ].join("")
}

/** Draws the diagram as SVG. Returns `undefined` for a kind of diagram that the documents do not use. */
export const draw = (text: string): string | undefined => {
  const diagram = parse(text)
  if (diagram === undefined) return undefined
  const transitions = diagram.transitions.map(named)
  const states = [...new Set(transitions.flatMap(({ from, to }) => [from, to]))]
  const graph = new Graph()
  graph.setGraph({ rankdir: "TB", nodesep: 36, ranksep: 38, marginx: 12, marginy: 12 })
  for (const state of states) graph.setNode(state, { ...sizeOf(state, diagram.notes.get(state)) })
  for (const { from, label, to } of transitions)
    graph.setEdge(from, to, label === "" ? {} : { width: width(label) * 0.85 + 8, height: lineHeight, labelpos: "c" })
  layout(graph)
  const size = graph.graph()
  const placed = (state: string): Size & Point => {
    const { height = 0, width: wide = 0, x = 0, y = 0 } = graph.node(state)
    return { height, width: wide, x, y }
  }
  const line = ({ from, to }: Transition): string => {
    const { points = [], x = 0 } = graph.edge(from, to)
    return from === to ? loop(placed(from), x) : path(points)
  }
  const lines = transitions.map((transition) => `<path d="${line(transition)}"/>`)
  const labels = transitions.flatMap(({ from, label, to }) => {
    const { x = 0, y = 0 } = graph.edge(from, to)
    return label === "" ? [] : [`<text class="label" x="${round(x)}" y="${round(y)}">${escaped(label)}</text>`]
  })
  const boxes = states.map((state) => box(state, diagram.notes.get(state), placed(state)))
  const [wide, high] = [Math.ceil(size.width ?? 0), Math.ceil(size.height ?? 0)]
  const description = escaped(transitions.map(({ from, label, to }) => `${from} to ${to}: ${label}`).join("; "))
  return [
    `<svg class="diagram" viewBox="0 0 ${wide} ${high}" width="${wide}" role="img" aria-label="${description}">`,
    '<defs><marker id="arrow" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="8" markerHeight="8" orient="auto"><path class="tip" d="M0 0L8 4L0 8z"/></marker></defs>',
    ...lines,
    ...boxes,
    ...labels,
    "</svg>"
  ].join("\n")
}
