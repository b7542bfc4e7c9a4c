/** Colours for terminals. Whether they are wanted follows NO_COLOR, FORCE_COLOR and the kind of the output. */

const codes = {
  bold: [1, 22],
  red: [31, 39],
  green: [32, 39],
  yellow: [33, 39],
  cyan: [36, 39]
} as const

type Style = keyof typeof codes

/** Adds colours to a text. */
export type Painter = (text: string) => string

const styled = (style: Style, text: string): string => `\u001b[${codes[style][0]}m${text}\u001b[${codes[style][1]}m`

/**
 * Whether an output gets colours: a terminal does, unless NO_COLOR is set or the terminal has none. FORCE_COLOR decides in every
 * case: 0 is never, anything else always.
 */
export const isWanted = (env: Readonly<Record<string, string | undefined>>, isTerminal: boolean): boolean => {
  const { FORCE_COLOR: force, NO_COLOR: no, TERM: terminal } = env
  if (force !== undefined && force !== "") return force !== "0" && force !== "false"
  return isTerminal && !no && terminal !== "dumb"
}

/** Returns a painter that gives each match of a pattern its style. */
export const matching =
  (...rules: ReadonlyArray<readonly [pattern: RegExp, style: Style]>): Painter =>
  (text) =>
    rules.reduce((whole, [pattern, style]) => whole.replace(pattern, (part) => styled(style, part)), text)

const usage = "Usage:"

const inPage = (line: string): string => {
  if (line.startsWith(usage)) return styled("bold", usage) + line.slice(usage.length)
  if (line.endsWith(":") && !line.startsWith(" ")) return styled("bold", line)
  const end = line.indexOf("  ", 2)
  const isRow = line.startsWith("  ") && end > 2
  return isRow ? `  ${styled("cyan", line.slice(2, end))}${line.slice(end)}` : line
}

/** Paints the titles and first columns of a page of help. */
export const page: Painter = (text) => text.split("\n").map(inPage).join("\n")
