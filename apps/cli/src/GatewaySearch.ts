/** The settings of a gateway's profile that `pay doctor` tries where the one that is set gets no answer of the protocol. */
import * as Profile from "@pay/transport/Profile"
import * as Credentials from "./Credentials.ts"
import type { Given } from "./Flags.ts"

const prefixes = Profile.all.flatMap((name): ReadonlyArray<string> => {
  const { pathPrefix } = Profile.of(name)
  return pathPrefix === undefined ? [] : [pathPrefix]
})

const [specification, ...dialects] = Profile.all

const inJson: ReadonlyArray<string> = [specification, ...prefixes.map((prefix) => `path-prefix=${prefix}`)]

/** With the number of a group behind `/group/`, where the other public dialects have it anyway. */
const groupsInJson = inJson.map((text) => (text === specification ? "group-path" : `${text}, group-path`))

/** The profile that is set. */
export const current = (given: Given): string => Credentials.setting(given, "gateway-profile") ?? "specification"

/**
 * The settings beside the one that is set: JSON at each path, then the other public dialects, because a gateway may answer JSON to
 * who asks for nothing.
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
