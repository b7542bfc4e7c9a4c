/** Formats an answer of the gateway for people. */
import * as Output from "../terminal/Output.ts"

/** Longest value, in characters, that is printed. A longer one, such as a page of HTML, is complete in `--json`. */
const LONGEST = 200

/** Returns the fields of an answer as texts, by name. */
export const texts = (answer: unknown): Readonly<Record<string, string>> =>
  typeof answer === "object" && answer !== null
    ? Object.fromEntries(Object.entries(answer).map(([name, value]) => [name, String(value)]))
    : {}

const shortened = (text: string): string =>
  text.length <= LONGEST ? text : `${text.slice(0, LONGEST)}… (${text.length} characters; --json shows all)`

export const table = (texts: Readonly<Record<string, string>>): string =>
  Output.columns(Object.entries(texts).map(([name, text]) => [name, shortened(text)]))
