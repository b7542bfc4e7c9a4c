/** Which operations an endpoint takes now (decisions: orders). */
import { mediaType } from "@pay/schema/Dialect"
import type { Operation } from "@pay/schema/Operation"
import type * as PayApi from "@pay/schema/PayApi"
import { Effect } from "effect"
import { type Refused, refuse } from "../kernel/Answer.ts"
import { Settings } from "../kernel/Settings.ts"
import { type Call, clientOrderIdOf } from "./Call.ts"
import type { Endpoint } from "./Directory.ts"
import { Directory } from "./Directory.ts"

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

/** No endpoint of the path takes the dialect of the request. Who asks has proved to be its merchant. */
export const dialectRefusal = ({ dialect, fields }: Call): Refused => {
  const clientOrderId = clientOrderIdOf(fields)
  return dialect === "json"
    ? refuse("dialectNotEnabled", { clientOrderId })
    : refuse("acceptRequired", {
        clientOrderId,
        message: `This endpoint answers only in JSON: the header Accept must be ${mediaType}`
      })
}

/** The first endpoint that takes the currency; a verification names none and is asked in the first. */
export const placeOf = (endpoints: ReadonlyArray<Endpoint>, requested: string | undefined) => {
  const endpoint = endpoints.find(({ currencies }) => requested === undefined || currencies.has(requested))
  const [first] = endpoint?.currencies ?? []
  const currency = requested ?? first
  return endpoint === undefined || currency === undefined ? undefined : { endpoint, currency }
}

/** The party that runs an authentication: the gateway on its pages, or the merchant. */
export type ThreeDSMode = "gateway" | "merchant"

/** An endpoint that says nothing has it on the gateway's pages wherever there is a server to ask. */
export const threeDSModeOf = ({ threeds }: Endpoint, hasServer: boolean): "off" | ThreeDSMode =>
  threeds ?? (hasServer ? "gateway" : "off")

/**
 * Until when a second approver may agree to what moves money out on this endpoint; undefined: nobody has to. Of an endpoint
 * that is gone nobody knows what it asked for: somebody has to.
 */
export const approvalUntilMs = Effect.gen(function* () {
  const directory = yield* Directory
  const { approvalMs } = yield* Settings
  return (endpointId: string, nowMs: number): number | undefined =>
    directory.endpoint(endpointId)?.payoutApproval === false ? undefined : nowMs + approvalMs
})
