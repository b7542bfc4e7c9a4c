/** Which operations an endpoint takes now (decisions: orders). */
import type { Operation } from "@pay/schema/Operation"
import type * as PayApi from "@pay/schema/PayApi"
import type { Endpoint } from "./Directory.ts"

/** Operations that give a customer's money back: possible also where nothing new is taken. */
const givesBack: ReadonlySet<string> = new Set<PayApi.Name>(["RETURN", "VOID"])

/** Whether the endpoint's setting `operations` names it, or names none. */
export const isListed = ({ operations }: Endpoint, { name }: Operation): boolean =>
  operations === undefined || operations.has(name)

/** Whether the endpoint takes it; one that is switched off answers questions and gives money back. */
export const isTaken = (endpoint: Endpoint, operation: Operation): boolean =>
  (endpoint.enabled || operation.acts === "reads" || givesBack.has(operation.name)) && isListed(endpoint, operation)

/** Whether the endpoint that took an order takes the operation on it; of one that is no longer described nothing is known. */
export const isTakenBy = (own: Endpoint | undefined, operation: Operation): boolean =>
  own === undefined || isTaken(own, operation)
