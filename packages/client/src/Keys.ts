/** Reads the control keys that a caller gives. Wrong ones are reported when the client or the receiver is made. */
import * as Blanks from "@pay/schema/Blanks"
import * as SettingText from "@pay/transport/SettingText"
import type { ClientOptions, Secret } from "./contract/Client.ts"
import * as Errors from "./Errors.ts"

/** Throws the error of a setting. */
export const invalid = (setting: string, problem: string): never => {
  throw Errors.make("InvalidSetting", { message: `${setting} ${problem}.`, retryable: false })
}

export const isText = (value: unknown): value is string => typeof value === "string"

/** Names the option with the same letters as a name, or with the same first ones, and otherwise all. */
const hint = (name: string, names: ReadonlyArray<string>): string => {
  const letters = name.toLowerCase().replaceAll(/[^a-z]/g, "")
  const begins = (start: string) => names.find((each) => start.length > 2 && each.toLowerCase().startsWith(start))
  const near = begins(letters) ?? begins(letters.slice(0, 4))
  return near === undefined ? `The options are ${names.join(", ")}` : `Did you mean ${near}?`
}

/** Returns what is wrong with each option that has none of these names and would be ignored silently. */
export const unknownNames = (
  options: object,
  names: ReadonlyArray<string>
): ReadonlyArray<readonly [name: string, problem: string]> =>
  Object.entries(options)
    .filter(([name, value]) => value !== undefined && !names.includes(name))
    .map(([name]) => [name, `is no option. ${hint(name, names)}`])

/** Returns the options. Throws `InvalidSettingError` if they are not an object, or one has none of these names. */
export const optionsOf = <T extends object>(callerOptions: T, names: ReadonlyArray<string>, needed: string): T => {
  if (typeof callerOptions !== "object" || callerOptions === null) invalid("The options", needed)
  for (const [name, problem] of unknownNames(callerOptions, names)) invalid(name, problem)
  return callerOptions
}

/** Returns the present text of a secret. */
export const secretText = (setting: string, secret: Secret): string => {
  const value: unknown = typeof secret === "function" ? secret() : secret
  return isText(value) ? value : invalid(setting, "must be text, or a function that returns text")
}

type Keys = Pick<ClientOptions, "controlKey" | "previousControlKey">

/**
 * Returns a function that reads the control keys with which a callback may be signed now. Throws `InvalidSettingError` for one that is
 * wrong already; the text of a function is read at each callback.
 */
export const controlKeys = ({ controlKey, previousControlKey }: Keys): (() => ReadonlyArray<string>) => {
  if (controlKey === undefined) invalid("controlKey", "is missing")
  for (const [name, key] of Object.entries({ controlKey, previousControlKey })) {
    if (key === undefined || typeof key === "function") continue
    const wrong = SettingText.controlKeyFlaw(Blanks.trim(secretText(name, key)))
    if (wrong !== undefined) invalid(name, wrong)
  }
  return () => [
    secretText("controlKey", controlKey),
    ...(previousControlKey === undefined ? [] : [secretText("previousControlKey", previousControlKey)])
  ]
}
