/** Compares the answer of a shop, or the output of a program, with what the template expects. */
import { Predicate, Result } from "effect"
import * as JsonText from "./JsonText.ts"
import type { Matcher } from "./TemplateSchema.ts"

/** What came back: of a request its status, of a program its exit code. */
export interface Reply {
  readonly status?: number
  readonly exit?: number
  readonly text: string
}

/** What came back, or why nothing did: in words that follow "the shop". */
export type Outcome =
  | { readonly _tag: "Reply"; readonly reply: Reply }
  | { readonly _tag: "None"; readonly reason: string; readonly reply?: Reply }
  /** The customer has closed the browser. */
  | { readonly _tag: "Closed" }

const isOneOf = <A>(expected: A | ReadonlyArray<A>, value: unknown): boolean =>
  Array.isArray(expected) ? expected.some((each) => each === value) : expected === value

/** The value at a path such as `items.0.state`. Undefined without one, or if the text is not JSON. */
const valueAt = (text: string, path: string): unknown => {
  let value = Result.getOrUndefined(JsonText.read(text))
  for (const name of path.split(".")) {
    if (Array.isArray(value)) value = /^\d+$/.test(name) ? value[Number(name)] : undefined
    else value = Predicate.hasProperty(value, name) && Object.hasOwn(value, name) ? value[name] : undefined
  }
  return value
}

const hasValue = (text: string, path: string, is: Matcher["is"]): boolean => {
  const value = valueAt(text, path)
  return is === undefined ? value !== undefined && value !== null && value !== false : isOneOf(is, value)
}

/** Returns what the group of a regular expression matches in the text. */
export const group = (pattern: string, text: string): string | undefined => new RegExp(pattern, "u").exec(text)?.[1]

/** Whether the reply has everything that the matcher states. */
export const matches = ({ exit, is, json, status, text }: Matcher, reply: Reply): boolean =>
  (status === undefined || isOneOf(status, reply.status)) &&
  (exit === undefined || isOneOf(exit, reply.exit)) &&
  (json === undefined || hasValue(reply.text, json, is)) &&
  (text === undefined || new RegExp(text, "u").test(reply.text))

/** Whether the shop answered, and with no error of its own. */
export const isCalm = ({ exit, status }: Reply): boolean =>
  exit === undefined ? status !== undefined && status < 500 && status !== 429 : exit === 0

/** Whether the shop answered that it has done what it was asked. */
export const isSuccess = ({ exit, status }: Reply): boolean =>
  exit === undefined ? status !== undefined && status < 300 : exit === 0
