/** Coloured lines, for a terminal and for a picture of a terminal. */

export type Tone = "plain" | "dim" | "bold" | "good" | "bad"

export interface Span {
  readonly text: string
  readonly tone: Tone
}

export type Line = ReadonlyArray<Span>

export const span = (text: string, tone: Tone = "plain"): Span => ({ text, tone })

const codes: Readonly<Record<Tone, readonly [before: string, after: string]>> = {
  plain: ["", ""],
  dim: ["\u001b[2m", "\u001b[22m"],
  bold: ["\u001b[1m", "\u001b[22m"],
  good: ["\u001b[32m", "\u001b[39m"],
  bad: ["\u001b[31m", "\u001b[39m"]
}

/** Returns the text of a line for a terminal, with escape sequences for colours if `isColored`. */
export const inTerminal = (line: Line, isColored: boolean): string =>
  line
    .map(({ text, tone }) => (isColored ? codes[tone].join(text) : text))
    .join("")
    .trimEnd()

const fills: Readonly<Record<Tone, string>> = {
  plain: "#d5dbe3",
  dim: "#8593a3",
  bold: "#ffffff",
  good: "#6fd08c",
  bad: "#ff8a80"
}

const escaped = (text: string) => text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;")

/** Draws the lines as an SVG picture of a terminal with 80 columns. */
export const svg = (title: string, lines: ReadonlyArray<Line>): string => {
  const [left, top, size, height] = [24, 40, 14, 21]
  const advance = size * 0.602
  const total = top + lines.length * height + 12
  const rows = lines.map((line, index) => {
    let columns = 0
    const spans = line.map(({ text, tone }) => {
      const weight = tone === "bold" ? ' font-weight="600"' : ""
      const x = left + Math.round(columns * advance)
      columns += text.length
      return `<tspan x="${x}" fill="${fills[tone]}"${weight}>${escaped(text.trimEnd())}</tspan>`
    })
    return `<text y="${top + index * height}" xml:space="preserve">${spans.join("")}</text>`
  })
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 740 ${total}" role="img" aria-label="${escaped(title)}"`,
    `  font-family="ui-monospace,SFMono-Regular,Menlo,Consolas,monospace" font-size="${size}">`,
    `<rect width="740" height="${total}" rx="12" fill="#16202b"/>`,
    ...rows,
    "</svg>",
    ""
  ].join("\n")
}
