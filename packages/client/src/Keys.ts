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

/** Returns the options. Throws `InvalidSettingError` if they are not an object. */
export const optionsOf = <T extends object>(callerOptions: T, needed = withoutOptions): T =>
  typeof callerOptions === "object" && callerOptions !== null ? callerOptions : invalid("The options", needed)

const lettersOf = (name: string): string => name.toLowerCase().replaceAll(/[^a-z]/g, "")

/** Returns the option that a name resembles: the same letters, or the same first four. */
const meant = (name: string, names: ReadonlyArray<string>): string | undefined => {
  const letters = lettersOf(name)
  const start = letters.slice(0, 4)
  return (
    names.find((each) => lettersOf(each) === letters) ??
    names.find((each) => start.length === 4 && lettersOf(each).startsWith(start))
  )
}

/** Throws `InvalidSettingError` for an option that has none of these names, which would be ignored silently. */
export const checkNames = (options: object, names: ReadonlyArray<string>): void => {
  for (const [name, value] of Object.entries(options)) {
    if (value === undefined || names.includes(name)) continue
    const near = meant(name, names)
    invalid(
      name,
      near === undefined ? `is no option. The options are ${names.join(", ")}` : `is no option. Did you mean ${near}?`
    )
  }
}

const withoutOptions = "need an object with baseUrl, login, controlKey and endpointId"

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
