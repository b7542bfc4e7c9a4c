/**
 * Converts values of the ports to JSON and back. Card data becomes `Redacted` again, sets and maps are restored, and a value that
 * is absent stays absent. The text contains card data unencrypted, as a request to a bank does.
 */
import { Predicate, Redacted, Result } from "effect"

/** The name of the member that marks an object as a value that JSON lacks. */
const mark = "$"

const marked = (kind: string, value: unknown) => ({ [mark]: kind, value })

const toJson = (value: unknown): unknown => {
  if (value === undefined) return marked("undefined", null)
  if (Redacted.isRedacted(value))
    return { ...marked("redacted", toJson(Redacted.value(value))), label: value.label ?? null }
  if (Predicate.isSet(value)) return marked("set", [...value].map(toJson))
  if (Predicate.isMap(value)) return marked("map", [...value].map(toJson))
  if (Array.isArray(value)) return value.map(toJson)
  return Predicate.isObject(value)
    ? Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, toJson(inner)]))
    : value
}

const isPair = (value: unknown): value is readonly [unknown, unknown] => Array.isArray(value) && value.length === 2

const listOf = (value: unknown): ReadonlyArray<unknown> => (Array.isArray(value) ? value.map(fromJson) : [])

const unmarked = (object: object): unknown => {
  const value: unknown = Reflect.get(object, "value")
  const label: unknown = Reflect.get(object, "label")
  switch (Reflect.get(object, mark)) {
    case "redacted":
      return Redacted.make(fromJson(value), Predicate.isString(label) ? { label } : undefined)
    case "set":
      return new Set(listOf(value))
    case "map":
      return new Map(listOf(value).filter(isPair))
    default:
      return undefined
  }
}

const fromJson = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(fromJson)
  if (!Predicate.isObject(value)) return value
  if (Object.hasOwn(value, mark)) return unmarked(value)
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, fromJson(inner)]))
}

/** Writes a value as JSON that {@link decode} restores. */
export const encode = (value: unknown): string => JSON.stringify(toJson(value))

/** Returns the value of a text that {@link encode} made. Undefined if the text is not JSON. */
export const decode = (text: string): unknown =>
  Result.getOrUndefined(Result.try((): unknown => fromJson(JSON.parse(text))))
