/** An answer of the gateway, for people. */
import * as Output from "./Output.ts"

/** A page of HTML says nothing on a terminal; `--json` has all of it. */
const LONGEST = 200

/** The texts of an answer by name. */
export const texts = (answer: unknown): Readonly<Record<string, string>> =>
  typeof answer === "object" && answer !== null
    ? Object.fromEntries(Object.entries(answer).map(([name, value]) => [name, String(value)]))
    : {}

const shortened = (text: string): string =>
  text.length <= LONGEST ? text : `${text.slice(0, LONGEST)}… (${text.length} characters; --json shows all)`

export const table = (texts: Readonly<Record<string, string>>): string =>
  Output.columns(Object.entries(texts).map(([name, text]) => [name, shortened(text)]))
