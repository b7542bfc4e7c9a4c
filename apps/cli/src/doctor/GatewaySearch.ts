/** The gateway profiles that `pay doctor` tries if the gateway does not answer in the configured one. */
import * as Profile from "@pay/transport/Profile"
import type { Given } from "../command/Flags.ts"
import * as Credentials from "../request/Credentials.ts"

const prefixes = Profile.all.flatMap((name): ReadonlyArray<string> => {
  const { pathPrefix } = Profile.of(name)
  return pathPrefix === undefined ? [] : [pathPrefix]
})

const [specification, ...dialects] = Profile.all

const inJson: ReadonlyArray<string> = [specification, ...prefixes.map((prefix) => `path-prefix=${prefix}`)]

/** The JSON profiles with the number of a group behind `/group/`. The other public dialects always write it so. */
const groupsInJson = inJson.map((text) => (text === specification ? "group-path" : `${text}, group-path`))

/** Returns the configured profile. */
export const current = (given: Given): string => Credentials.setting(given, "gateway-profile") ?? "specification"

/**
 * Returns the profiles to try besides the configured one: first JSON at each path, then the other public dialects, because a
 * gateway may answer with JSON to a request that does not require a format.
 */
export const others = (given: Given): ReadonlyArray<string> => {
  const isGroup = Credentials.setting(given, "endpoint-id")?.startsWith("group/") === true
  const texts = [...inJson, ...(isGroup ? groupsInJson : []), ...dialects]
  return texts.filter((text) => text !== current(given))
}

/** Returns the settings of the same merchant at a gateway of this profile. */
export const withProfile = (given: Given, text: string): Given => ({
  ...given,
  flags: new Map([...given.flags, ["gateway-profile", text]])
})
