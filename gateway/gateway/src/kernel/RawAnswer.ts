/**
 * Writes any value that an adapter gave as short text for logs and evidence. Values under names of card data and secrets are left
 * out, because a security code cannot be recognised by its digits.
 */
import { Predicate, Result } from "effect"
import * as ForeignText from "./ForeignText.ts"

const secret =
  /cv[vc]|csc|security.?code|cavv|aav|authentication.?value|track.?[12]|^pin$|pin.?block|pan$|card.?num|passw|secret|token|api.?key|private.?key|^authorization$/i
const mostValues = 1000
const mostMembers = 100
const longestText = 10_000

const bounded = (value: unknown): unknown => {
  if (Predicate.isString(value)) return value.slice(0, longestText)
  if (Predicate.isNumber(value)) return Number.isFinite(value) ? value : String(value)
  if (Array.isArray(value)) return value.slice(0, mostMembers)
  if (value instanceof Error) return `${value.name}: ${value.message.slice(0, longestText)}`
  return Predicate.isObject(value) || Predicate.isBoolean(value) || value === null ? value : nameOf(value)
}

/** Names a value that JSON lacks. */
const nameOf = (value: unknown): string =>
  typeof value === "function" || typeof value === "symbol" ? `a ${typeof value}` : String(value)

const written = (value: unknown): string => {
  const whole = bounded(value)
  if (!Predicate.isObjectOrArray(whole)) return String(whole)
  let values = 0
  return JSON.stringify(whole, (name, member: unknown) => {
    values += 1
    if (values > mostValues) return undefined
    return secret.test(name) ? "<hidden>" : bounded(member)
  })
}

/** Returns the text of a value. A value that cannot be read, such as one that contains itself, is named by its kind. */
export const text = (value: unknown): string =>
  ForeignText.line(
    Result.getOrElse(
      Result.try(() => written(value)),
      () => `an unreadable ${typeof value}`
    )
  )
