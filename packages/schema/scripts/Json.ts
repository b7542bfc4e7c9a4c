/** Prints JSON for people who read and compare it. */

const width = 120

const isScalar = (value: unknown): boolean => typeof value !== "object" || value === null

/** Whether a value may stand beside others: a text, a number, or a list of them. */
const isShort = (value: unknown): boolean => (Array.isArray(value) ? value.every(isScalar) : isScalar(value))

const entriesOf = (value: object): ReadonlyArray<readonly [start: string, value: unknown]> =>
  Array.isArray(value)
    ? value.map((item) => ["", item])
    : Object.entries(value).map(([name, item]) => [`${JSON.stringify(name)}: `, item])

const inOneLine = (value: unknown): string => {
  if (typeof value !== "object" || value === null) return JSON.stringify(value)
  const inner = entriesOf(value)
    .map(([start, item]) => start + inOneLine(item))
    .join(", ")
  return Array.isArray(value) ? `[${inner}]` : inner === "" ? "{}" : `{ ${inner} }`
}

/** Appends a value to the line before it if there is space. */
const fill = (lines: ReadonlyArray<string>, line: string, indent: string): ReadonlyArray<string> => {
  const last = lines.at(-1)
  return last !== undefined && indent.length + last.length + line.length + 2 <= width
    ? [...lines.slice(0, -1), `${last} ${line}`]
    : [...lines, line]
}

const print = (value: unknown, indent: string, used: number): string => {
  const line = inOneLine(value)
  if (typeof value !== "object" || value === null || indent.length + used + line.length < width) return line
  const inner = `${indent}  `
  const entries = entriesOf(value)
  let lines: ReadonlyArray<string> = []
  let mayFill = false
  for (const [index, [start, item]] of entries.entries()) {
    const text = `${start}${print(item, inner, start.length)}${index < entries.length - 1 ? "," : ""}`
    lines = mayFill && isShort(item) ? fill(lines, text, inner) : [...lines, text]
    mayFill = isShort(item)
  }
  const [open, close] = Array.isArray(value) ? ["[", "]"] : ["{", "}"]
  return `${open}\n${lines.map((each) => inner + each).join("\n")}\n${indent}${close}`
}

/**
 * Prints a value with two spaces for each level. What fits into a line of 120 columns is one line; otherwise, each object and
 * array begins a line, and texts, numbers and lists of them fill lines.
 */
export const json = (value: unknown): string => `${print(value, "", 0)}\n`
