/** Regular expressions whose time grows faster than the length of their text: whoever sends the text could stop everybody. */
import { createRequire } from "node:module"
import { parseAst } from "vitest/node"

const load = createRequire(import.meta.url)

/** Its pure JavaScript: the module's own entry looks for a native program first. */
const { checkSync }: typeof import("recheck") = load("recheck/lib/browser.js")
const { version }: { readonly version: string } = load("recheck/package.json")

/** The program that judges, with its version. */
export const judge = `recheck ${version}`

export interface Expression {
  readonly pattern: string
  readonly flags: string
}

export interface Literal extends Expression {
  readonly line: number
}

export const textOf = ({ flags, pattern }: Expression): string => `/${pattern}/${flags}`

/** What a module has of them. */
export interface Expressions {
  readonly literals: ReadonlyArray<Literal>
  /** Lines where one is built at run time, by `RegExp` with or without `new`. */
  readonly built: ReadonlyArray<number>
}

const isNode = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null

export const find = (source: string): Expressions => {
  const literals: Array<Literal> = []
  const built: Array<number> = []
  const lineOf = (start: unknown) => source.slice(0, Number(start)).split("\n").length
  const walk = (node: unknown): void => {
    if (!isNode(node)) return
    const { callee, regex, start } = node
    if (isNode(regex))
      literals.push({ pattern: String(regex.pattern), flags: String(regex.flags), line: lineOf(start) })
    if (isNode(callee) && callee.name === "RegExp") built.push(lineOf(start))
    for (const child of Object.values(node)) walk(child)
  }
  walk(parseAst(source, { lang: "ts" }))
  return { literals, built }
}

/** In a class, what only flag `v` gives a meaning: a class within, sets taken from each other, strings. */
const onlyWithV = /\[[^\]]*(?:\[|--|&&|\\q\{)/

/** By counting steps, never by time, so that a busy machine judges as a quiet one does. */
const limits = { timeout: null, attackTimeout: null, incubationTimeout: null }

/**
 * What is wrong with each expression, by its text; the others are not in the answer. `recheck` reads no flag `v`: such an
 * expression is judged as it reads with `u`, and one that reads otherwise then is refused. Those in `proved` are not judged again.
 */
export const wrong = (
  expressions: ReadonlyArray<Expression>,
  proved: ReadonlySet<string> = new Set()
): Readonly<Record<string, string>> => {
  const verdicts = new Map<string, string>()
  for (const { flags, pattern } of expressions) {
    const text = textOf({ flags, pattern })
    if (verdicts.has(text) || proved.has(text)) continue
    if (flags.includes("v") && onlyWithV.test(pattern)) {
      verdicts.set(text, "reads otherwise without flag v: use u")
      continue
    }
    verdicts.set(text, verdictOf(pattern, flags.replace("v", "u")))
  }
  return Object.fromEntries([...verdicts].filter(([, verdict]) => verdict !== "safe"))
}

const verdictOf = (pattern: string, flags: string): string => {
  const judged = checkSync(pattern, flags, limits)
  return judged.status === "vulnerable" ? judged.complexity.summary : judged.status
}
