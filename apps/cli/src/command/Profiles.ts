/**
 * Named settings in a file of the user: addresses, logins and the paths of key files, never a key. Flags override all of them. A
 * profile that is named with `--profile` or PAY_PROFILE replaces the environment's settings; the current profile only completes
 * them.
 */
import { join } from "node:path"
import * as Suggestion from "@pay/server/Suggestion"
import * as StateFile from "../terminal/StateFile.ts"
import { UsageError } from "../terminal/UsageError.ts"
import type { Flag } from "./Flags.ts"

/** The settings of a profile, as flags. */
export const settings = {
  "base-url": { value: "URL", about: "Everything before /api/…" },
  login: { value: "LOGIN", about: "The merchant's login." },
  "endpoint-id": { value: "ID", about: "The endpoint or endpoint group." },
  "control-key-file": { value: "FILE", about: "The file with the control key; its path is kept, the key is not." },
  "private-key-file": { value: "FILE", about: "The file with the RSA key, PEM." },
  "public-key-file": { value: "FILE", about: "The file with the public RSA key, PEM." },
  "control-amount": { value: "FORM", about: "How control covers amounts: minor or x100." },
  "gateway-profile": { value: "TEXT", about: "How the gateway speaks: paynet, for example." },
  "operator-url": { value: "URL", about: "Where the gateway listens for operators." },
  "operator-token-file": { value: "FILE", about: "The file with your operator token." }
} as const satisfies Readonly<Record<string, Flag>>

export type Setting = keyof typeof settings

export const isSetting = (name: string): name is Setting => Object.hasOwn(settings, name)

export type Profile = Readonly<Record<string, string>>

export interface Profiles {
  readonly current: string | undefined
  readonly profiles: Readonly<Record<string, Profile>>
}

type Environment = Readonly<Record<string, string | undefined>>

const pathOf = (env: Environment): string => join(StateFile.folderOf(env), "profiles.json")

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null && !Array.isArray(value)

const profileOf = (value: unknown): Profile =>
  Object.fromEntries(
    Object.entries(isRecord(value) ? value : {}).flatMap(([name, text]) =>
      isSetting(name) && typeof text === "string" ? [[name, text]] : []
    )
  )

const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    throw new UsageError("The file profiles.json of the state folder is not JSON: correct or remove it", "profile")
  }
}

export const read = (env: Environment): Profiles => {
  const text = StateFile.read(pathOf(env))
  const value = text === undefined ? {} : parsed(text)
  const { current, profiles } = isRecord(value) ? value : {}
  return {
    current: typeof current === "string" ? current : undefined,
    profiles: Object.fromEntries(
      Object.entries(isRecord(profiles) ? profiles : {}).map(([name, each]) => [name, profileOf(each)])
    )
  }
}

/** Writes the profiles atomically, readable only by their owner. */
export const write = (env: Environment, profiles: Profiles): void =>
  StateFile.write(
    pathOf(env),
    `${JSON.stringify(profiles, null, 2)}\n`,
    new UsageError("The state folder cannot be written: set PAY_STATE to one that can", "profile")
  )

const variableOf = (setting: string): string => `PAY_${setting.toUpperCase().replaceAll("-", "_")}`

const variablesOf = (profile: Profile): Environment =>
  Object.fromEntries(Object.entries(profile).map(([setting, text]) => [variableOf(setting), text]))

export const find = ({ profiles }: Profiles, name: string): Profile => {
  const profile = Object.hasOwn(profiles, name) ? profiles[name] : undefined
  if (profile !== undefined) return profile
  if (name.endsWith(".json"))
    throw new UsageError(
      "PAY_PROFILE and --profile name settings of pay profile. The file of a gateway's profile goes into PAY_GATEWAY_PROFILE or --gateway-profile",
      "profile"
    )
  const names = Object.keys(profiles)
  const near = Suggestion.closest(name, names)
  const others = names.length === 0 ? "There are none yet" : `There are ${names.join(", ")}`
  const existing = near === undefined ? others : `Did you mean ${near}? ${others}`
  throw new UsageError(`No profile has this name. ${existing}: pay profile set NAME --base-url URL …`, "profile")
}

/** Unsets the key variables that the profile's key files replace. */
const keysBeside = (profile: Profile): Environment => ({
  ...(profile["control-key-file"] !== undefined && { PAY_CONTROL_KEY: undefined }),
  ...(profile["operator-token-file"] !== undefined && { PAY_OPERATOR_TOKEN: undefined })
})

const unset: Environment = Object.fromEntries(Object.keys(settings).map((setting) => [variableOf(setting), undefined]))

/** Returns the environment with the settings of the named or the current profile. */
export const applied = (env: Environment, named = env.PAY_PROFILE): Environment => {
  const all = read(env)
  if (named) {
    const profile = find(all, named)
    return { ...env, ...unset, ...keysBeside(profile), ...variablesOf(profile) }
  }
  const current = all.current === undefined ? undefined : all.profiles[all.current]
  if (current === undefined) return env
  const given = Object.fromEntries(Object.entries(env).filter(([, text]) => text))
  return { ...variablesOf(current), ...given }
}
