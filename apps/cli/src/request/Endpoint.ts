/** Returns the endpoint id and the address of an operation. */
import * as EndpointId from "@pay/schema/EndpointId"
import type * as Profile from "@pay/transport/Profile"
import * as ProfileText from "@pay/transport/ProfileText"
import type { OperationFacts } from "../command/Contract.ts"
import type { Given } from "../command/Flags.ts"
import { UsageError } from "../terminal/UsageError.ts"
import * as Credentials from "./Credentials.ts"

const group = "group/"

/** The endpoint id as signatures cover it: the number alone. */
export const id = (given: Given): string => {
  const text = Credentials.need(given, "endpoint-id")
  const result = EndpointId.parse(text.startsWith(group) ? text.slice(group.length) : text)
  if (result !== undefined) return result
  throw new UsageError('--endpoint-id must be a number from 1 to 2^63 − 1, "group/" before that of a group')
}

/** The absolute address of an operation, as OAuth signs it. */
export const url = ({ path }: OperationFacts, given: Given): string => {
  const text = Credentials.need(given, "base-url")
  const base = URL.parse(text)
  if (base === null || !/^https?:$/.test(base.protocol) || base.search !== "" || base.hash !== "") {
    throw new UsageError("--base-url must be an absolute http(s) address without query")
  }
  const { groupPath = false, pathPrefix = "" } = profile(given)
  const start = `${base.origin}${base.pathname.replace(/^(.*[^/])?\/*$/s, "$1")}`
  if (pathPrefix !== "" && start.endsWith(pathPrefix)) {
    throw new UsageError(`--base-url must not end with ${pathPrefix}: the gateway's profile adds it`)
  }
  const isGroup = groupPath && Credentials.need(given, "endpoint-id").startsWith(group)
  return `${start}${pathPrefix}${path}/${isGroup ? group : ""}${id(given)}`
}

/** Returns the profile of the gateway from the settings, or the default profile. */
export const profile = (given: Given): Profile.Profile => {
  const reading = ProfileText.read(Credentials.setting(given, "gateway-profile") ?? "")
  if (reading.ok) return reading.profile
  throw new UsageError(`--gateway-profile ${reading.problem}`)
}
