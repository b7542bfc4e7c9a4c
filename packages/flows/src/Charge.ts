/** Creates an order that needs no browser, and waits for its final status. */
import type { Operation } from "@pay/schema/Operation"
import { Effect, Schema } from "effect"
import type * as Ask from "./Ask.ts"
import * as AwaitFinal from "./AwaitFinal.ts"
import * as Creation from "./Creation.ts"
import * as Ending from "./Ending.ts"
import type * as Evidence from "./Evidence.ts"
import * as FieldNames from "./FieldNames.ts"
import * as FlowError from "./FlowError.ts"

/** Errors of a flow whose order needs no customer's browser. */
export const ChargeError = Schema.Union([
  ...FlowError.Unpaid.members,
  ...FlowError.Unmade.members,
  FlowError.NeedsAPerson
])

interface ChargeFields extends Readonly<Record<string, unknown>> {
  readonly clientOrderId: string
  readonly endpointId?: string
}

/** Returns the identity of a flow that creates one order: the merchant's identifier of the order. */
export const clientOrderIdOf = ({ clientOrderId }: { readonly clientOrderId: string }): string => clientOrderId

/** Creates the order. Returns its final status, or the first status for which `until` is true. */
export const charge = Effect.fnUntraced(function* (
  operation: Operation,
  { endpointId, ...fields }: ChargeFields,
  until?: (report: Ask.StatusReport) => boolean
) {
  const trail: Evidence.Trail = []
  const { clientOrderId } = fields
  const request = FieldNames.requestOf(operation, fields)
  const { orderId } = yield* Creation.create({ step: "create", operation, request, clientOrderId, endpointId, trail })
  const named = { clientOrderId, orderId, endpointId }
  const report = yield* AwaitFinal.watch({ step: "status", named, trail, ...(until === undefined ? {} : { until }) })
  return until?.(report) === true ? report.order : yield* Ending.conclude(report.order, { clientOrderId, trail })
})
