/** The destination of a call: an endpoint, or a group of endpoints. */
import * as Blanks from "@pay/schema/Blanks"
import * as EndpointId from "@pay/schema/EndpointId"
import type { GatewayProfile } from "@pay/schema/GatewayProfile"
import type { Operation } from "@pay/schema/Operation"

/** An endpoint, or a group of endpoints. */
export interface Destination {
  /** The id that signatures cover. */
  readonly id: string
  readonly isGroup: boolean
}

const group = "group/"

/** The rule that {@link parse} checks, for messages. */
export const rule = 'must be a number from 1 to 2^63 − 1, "group/" before that of a group'

/** Parses a destination. `7` is an endpoint, or a group if the gateway numbers both together. `group/7` is a group. */
export const parse = (given: string): Destination | undefined => {
  const text = Blanks.trim(given)
  const isGroup = text.startsWith(group)
  const id = EndpointId.parse(isGroup ? text.slice(group.length) : text)
  return id === undefined ? undefined : { id, isGroup }
}

/** Whether the path of the operation has only the number of a group, at every gateway: uploads of 3-D Secure results. */
const takesNumberOnly = ({ path }: Operation): boolean => path.startsWith("/api/3ds/")

/** Returns the address of an operation at a destination. */
export const url = (
  baseUrl: string,
  operation: Operation,
  { id, isGroup }: Destination,
  { groupPath, pathPrefix }: GatewayProfile
): string => {
  const start = isGroup && groupPath && !takesNumberOnly(operation) ? group : ""
  return `${baseUrl}${pathPrefix}${operation.path}/${start}${id}`
}
