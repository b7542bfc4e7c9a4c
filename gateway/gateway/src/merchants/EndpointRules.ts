/** Which operations an endpoint takes now (docs/assumptions.md#captures-voids-and-returns). */
import { mediaType } from "@pay/schema/Dialect"
import type { Operation } from "@pay/schema/Operation"
import type * as PayApi from "@pay/schema/PayApi"
import { Effect } from "effect"
import { type RequestRefused, refuse } from "../kernel/Answer.ts"
import { Settings } from "../kernel/Settings.ts"
import { type Call, clientOrderIdOf } from "./Call.ts"
import type { Endpoint } from "./Directory.ts"
import { Directory } from "./Directory.ts"

/** Operations that return money to a customer. They are allowed also where nothing new is taken. */
const givesBack: ReadonlySet<string> = new Set<PayApi.Name>(["RETURN", "VOID"])

/** Whether the endpoint's setting `operations` contains the operation, or is not set. */
export const isListed = ({ operations }: Endpoint, { name }: Operation): boolean =>
  operations === undefined || operations.has(name)

/** Whether the endpoint takes the operation now. An endpoint that is switched off still answers reads and returns money. */
export const isTaken = (endpoint: Endpoint, operation: Operation): boolean =>
  (endpoint.enabled || operation.acts === "reads" || givesBack.has(operation.name)) && isListed(endpoint, operation)

/**
 * Whether the endpoint of an order allows the operation on it. An endpoint that is no longer configured allows every operation.
 */
export const isTakenBy = (own: Endpoint | undefined, operation: Operation): boolean =>
  own === undefined || isTaken(own, operation)

/** Makes the refusal if no endpoint of the path takes the dialect of the request. The caller is authenticated by then. */
export const dialectRefusal = ({ dialect, fields }: Call): RequestRefused => {
  const clientOrderId = clientOrderIdOf(fields)
  return dialect === "json"
    ? refuse("dialectNotEnabled", { clientOrderId })
    : refuse("acceptRequired", {
        clientOrderId,
        message: `This endpoint answers only in JSON: the header Accept must be ${mediaType}`
      })
}

/**
 * Returns the first endpoint that takes the currency. A verification has no currency: it gets the first endpoint and its first
 * currency.
 */
export const placeOf = (endpoints: ReadonlyArray<Endpoint>, requested: string | undefined) => {
  const endpoint = endpoints.find(({ currencies }) => requested === undefined || currencies.has(requested))
  const [first] = endpoint?.currencies ?? []
  const currency = requested ?? first
  return endpoint === undefined || currency === undefined ? undefined : { endpoint, currency }
}

/** The party that runs an authentication: the gateway on its pages, or the merchant. */
export type ThreeDSMode = "gateway" | "merchant"

/**
 * Returns the party that runs 3-D Secure. Without a setting of the endpoint, it is the gateway if there is a 3-D Secure server.
 */
export const threeDSModeOf = ({ threeds }: Endpoint, hasServer: boolean): "off" | ThreeDSMode =>
  threeds ?? (hasServer ? "gateway" : "off")

/**
 * Returns the time until which a second approver can approve a movement of money out of this endpoint's balance. `undefined`: no
 * approval is necessary. For an endpoint that is no longer configured approval is necessary, because its setting is unknown.
 */
export const approvalUntilMs = Effect.gen(function* () {
  const directory = yield* Directory
  const { approvalMs } = yield* Settings
  return (endpointId: string, nowMs: number): number | undefined =>
    directory.endpoint(endpointId)?.payoutApproval === false ? undefined : nowMs + approvalMs
})
