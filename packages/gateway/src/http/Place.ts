/** What the address of a request names: `/api/v2/sale/123` is the operation SALE at the endpoint 123. */
import * as EndpointId from "@pay/schema/EndpointId"
import type { Operation } from "@pay/schema/Operation"
import * as PayApi from "@pay/schema/PayApi"
import { Refused, refuse } from "../kernel/Answer.ts"

export interface Place {
  readonly operation: Operation
  readonly pathId: string
}

/** A path that names no operation or no number is a 404. */
export const locate = (path: string): Place | Refused => {
  const slash = path.lastIndexOf("/")
  const operation = PayApi.byPath.get(path.slice(0, slash))
  if (operation === undefined) return refuse("notFound", { message: "No operation has this path" })
  const pathId = EndpointId.parse(path.slice(slash + 1))
  return pathId === undefined
    ? refuse("notFound", { message: "The path must end with an endpoint id: a decimal number below 2^63" })
    : { operation, pathId }
}

export const pathOf = (target: string): string => {
  const queryAt = target.indexOf("?")
  return queryAt === -1 ? target : target.slice(0, queryAt)
}

export const placeOf = (target: string): Place | undefined => {
  const place = locate(pathOf(target))
  return place instanceof Refused ? undefined : place
}
