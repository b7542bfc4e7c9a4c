/** `pay profile`: manages named settings, of which one is current. */
import { resolve } from "node:path"
import * as EndpointId from "@pay/schema/EndpointId"
import { commands } from "../Commands.ts"
import * as Flags from "../command/Flags.ts"
import * as Profiles from "../command/Profiles.ts"
import { variables } from "../terminal/Environment.ts"
import { codes, type ExitCode } from "../terminal/ExitCode.ts"
import * as Output from "../terminal/Output.ts"
import { UsageError } from "../terminal/UsageError.ts"

const isAddress = (text: string): boolean => /^https?:$/.test(URL.parse(text)?.protocol ?? "")

/** Returns the problem of a value. The text does not repeat the value. */
const problemOf = (setting: Profiles.Setting, text: string): string | undefined => {
  if (setting.endsWith("-url") && !isAddress(text)) return "is an address: https://gateway.example/paynet"
  if (setting === "endpoint-id" && EndpointId.parse(text.replace(/^group\//, "")) === undefined)
    return 'is a number from 1 to 2^63 − 1, "group/" before that of a group'
  if (setting === "control-amount" && text !== "minor" && text !== "x100") return "is minor or x100"
  if (setting.endsWith("-file") && text === "-") return "names a file: a profile cannot keep standard input"
  return undefined
}

/** Returns the changed profile. An empty value removes the setting. Paths become absolute, to be valid in every folder. */
const changed = (before: Profiles.Profile, { flags }: Flags.Given): Profiles.Profile => {
  const settings = new Map(Object.entries(before))
  for (const [name, text] of flags) {
    if (!Profiles.isSetting(name)) continue
    if (text === "") {
      settings.delete(name)
      continue
    }
    const problem = problemOf(name, text)
    if (problem !== undefined) throw new UsageError(`--${name} ${problem}`, "profile")
    settings.set(name, /-file$/.test(name) || /\.json$/i.test(text) ? resolve(text) : text)
  }
  return Object.fromEntries(settings)
}

const checkedName = (name: string): string => {
  if (/^[\w.-]{1,64}$/.test(name)) return name
  throw new UsageError("The name of a profile has letters, digits, dots, - and _", "profile")
}

type Act = (name: string | undefined, given: Flags.Given) => Output.Report

const described = (name: string, profile: Profiles.Profile, isCurrent: boolean): Output.Report => ({
  text: `${name}${isCurrent ? " (current)" : ""}\n${Output.columns(Object.entries(profile))}`,
  json: { profile: name, current: isCurrent, settings: profile }
})

const need = (name: string | undefined): string => {
  if (name !== undefined) return name
  throw new UsageError("Name the profile: pay profile list shows them", "profile")
}

const actsOn = (all: Profiles.Profiles, keep: (profiles: Profiles.Profiles) => void) => {
  const acts: Readonly<Record<string, Act>> = {
    list: () => ({
      text:
        Object.keys(all.profiles).length === 0
          ? "There are no profiles yet: pay profile set NAME --base-url URL …"
          : Output.columns(
              Object.entries(all.profiles).map(([name, profile]) => [
                `${name === all.current ? "*" : " "} ${name}`,
                [profile.login, profile["base-url"]].filter((text) => text !== undefined).join(" at ")
              ])
            ),
      json: { current: all.current ?? null, profiles: Object.keys(all.profiles) }
    }),
    show: (name = all.current) => described(need(name), Profiles.find(all, need(name)), name === all.current),
    set: (name, given) => {
      const called = checkedName(need(name))
      const profile = changed(all.profiles[called] ?? {}, given)
      const current = all.current ?? called
      keep({ current, profiles: { ...all.profiles, [called]: profile } })
      return described(called, profile, called === current)
    },
    use: (name) => {
      const profile = Profiles.find(all, need(name))
      keep({ ...all, current: need(name) })
      return described(need(name), profile, true)
    },
    delete: (name) => {
      Profiles.find(all, need(name))
      const { [need(name)]: _, ...others } = all.profiles
      keep({ current: all.current === name ? undefined : all.current, profiles: others })
      return { text: `${name} is deleted; the files that it named stay.`, json: { deleted: name } }
    }
  }
  return acts
}

export const run = async (args: ReadonlyArray<string>): Promise<ExitCode> => {
  const given = Flags.ofCommand(args, commands.profile, "profile")
  const [verb = "show", name, ...others] = given.operands
  const acts = actsOn(Profiles.read(variables()), (profiles) => Profiles.write(variables(), profiles))
  const act = Object.hasOwn(acts, verb) ? acts[verb] : undefined
  if (act === undefined || others.length > 0)
    throw new UsageError("Say list, show, set, use or delete, and the name of a profile", "profile")
  const setting = [...given.flags.keys()].find(Profiles.isSetting)
  if (verb !== "set" && setting !== undefined) throw new UsageError(`--${setting} is for set`, "profile")
  Output.print(act(name, given), given.flags.has("json"))
  return codes.ok
}
