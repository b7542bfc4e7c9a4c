/** Placeholders such as `{order}` in a template, and the values that take their place. */
import * as Suggestion from "@pay/server/Suggestion"
import { Predicate } from "effect"

/** Placeholders of requests and programs: they have a value for each order. */
export const ofOrder = [
  "order",
  "amount",
  "amountMinor",
  "currency",
  "card",
  "cvv2",
  "expireMonth",
  "expireYear",
  "account",
  "shop",
  "number"
] as const

/** Placeholders of `env` and of the command: they have one value for a run. */
export const ofRun = ["url", "login", "controlKey", "endpointId", "privateKeyFile", "port", "shop"] as const

export type Values = Readonly<Record<string, string>>

const placeholder = /\{([A-Za-z]\w*)\}/g

/** Puts values in the place of placeholders. Other text in braces stays, because JSON and languages have braces, too. */
export const inText = (text: string, values: Values, written: (value: string) => string = (value) => value): string =>
  text.replace(placeholder, (whole, name: string) => {
    const value = Object.hasOwn(values, name) ? values[name] : undefined
    return value === undefined ? whole : written(value)
  })

/** Puts values into the texts of a value of JSON. Names of fields stay. */
export const inJson = (value: unknown, values: Values): unknown => {
  if (typeof value === "string") return inText(value, values)
  if (Array.isArray(value)) return value.map((item) => inJson(item, values))
  if (!Predicate.isObject(value)) return value
  return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, inJson(item, values)]))
}

/** All texts in a value of JSON, each with its path. */
const textsOf = (value: unknown, path: string): ReadonlyArray<readonly [path: string, text: string]> => {
  if (typeof value === "string") return [[path, value]]
  if (Array.isArray(value)) return value.flatMap((item, index) => textsOf(item, `${path}.${index}`))
  if (!Predicate.isObject(value)) return []
  return Object.entries(value).flatMap(([name, item]) => textsOf(item, path === "" ? name : `${path}.${name}`))
}

/** Whether a text of the value has the placeholder. */
export const names = (value: unknown, placeholder: string): boolean =>
  textsOf(value, "").some(([, text]) => text.includes(`{${placeholder}}`))

/** Returns a message for each text in braces that is almost a placeholder. */
export const misspelled = (value: unknown, placeholders: ReadonlyArray<string>, path: string): ReadonlyArray<string> =>
  textsOf(value, path).flatMap(([at, text]) =>
    [...text.matchAll(placeholder)].flatMap(([whole, name = ""]) => {
      if (placeholders.includes(name)) return []
      const near = Suggestion.closest(name, placeholders)
      return near === undefined ? [] : [`${at}: ${whole} has no value: did you mean {${near}}?`]
    })
  )
