/** The parts that the flows of orders share: the fields of their payloads, their results, and the creation of an order. */
import type { Fields, Operation } from "@pay/schema/Operation"
import { Effect, Schema } from "effect"
import { completeAuthentication } from "../browser/CompleteAuthentication.ts"
import * as FieldNames from "../engine/FieldNames.ts"
import type * as Evidence from "../order/Evidence.ts"
import * as FlowError from "../order/FlowError.ts"
import { OrderStatus } from "../order/OrderStatus.ts"
import type * as Ask from "../requests/Ask.ts"
import * as AwaitFinal from "../requests/AwaitFinal.ts"
import * as Creation from "../requests/Creation.ts"
import * as Ending from "../requests/Ending.ts"

/**
 * Returns the fields of a payload: those of the operation, except `login`, which the client adds, and the endpoint of the
 * requests, if it is not the client's own.
 */
export const fieldsOf = <F extends Fields>({ fields }: { readonly fields: F }) => {
  const { login: _, ...own } = fields
  return {
    ...FieldNames.renamed(own),
    endpointId: Schema.optionalKey(
      Schema.String.annotate({ description: "The endpoint or group to use, if not the client's own." })
    )
  }
}

/** The payload of a flow, with the fields of its operation. */
export interface OrderFields extends Readonly<Record<string, unknown>> {
  readonly clientOrderId: string
  readonly endpointId?: string
}

/** The result and the identity of a flow that creates one order without a browser. */
export const withoutBrowser = {
  success: OrderStatus,
  error: FlowError.OrderError,
  idempotencyKey: ({ clientOrderId }: { readonly clientOrderId: string }): string => clientOrderId
}

/** The result and the identity of a flow that creates one order and may need a customer's browser. */
export const withBrowser = { ...withoutBrowser, error: FlowError.CustomerError }

/** Adds the field that says that there are facts about the browser, so that a payment need not say it. */
const withBrowserInfo = <F extends Readonly<Record<string, unknown>>>(fields: F) =>
  Object.keys(fields).some((name) => name.startsWith("customerBrowser"))
    ? { customerBrowserInfo: true, ...fields }
    : fields

/** Returns the request of a flow, with an empty trail for its evidence. `step` is the prefix of the names of its steps. */
export const targetOf = (step: string, operation: Operation, { endpointId, ...fields }: OrderFields) => {
  const trail: Evidence.Trail = []
  const { clientOrderId } = fields
  const request = FieldNames.requestOf(operation, withBrowserInfo(fields))
  return { step, operation, request, clientOrderId, endpointId, trail }
}

/** Creates the order. `needed`: see `Creation`. */
export const create = Effect.fnUntraced(function* (
  operation: Operation,
  fields: OrderFields,
  needed?: Creation.Creation["needed"]
) {
  const target = targetOf("create", operation, fields)
  const receipt = yield* Creation.create({ ...target, needed })
  const { clientOrderId, endpointId, trail } = target
  return { receipt, trail, named: { clientOrderId, endpointId }, target }
})

/** Creates the order and waits. Returns its final status, or the first status for which `until` is true. */
export const charge = Effect.fnUntraced(function* (
  operation: Operation,
  fields: OrderFields,
  until: (report: Ask.StatusReport) => boolean = () => false
) {
  const { target, named, receipt, trail } = yield* create(operation, fields)
  const about = { ...named, trail }
  const { orderId } = receipt
  const report = yield* AwaitFinal.watch({ step: "status", named: { ...named, orderId }, trail, until })
  const order = until(report) ? report.order : yield* Ending.conclude(report.order, about)
  return yield* Ending.asRequested(order, target, about)
})

/** Creates the order, completes the authentication in the customer's browser, and returns the final status. */
export const pay = Effect.fnUntraced(function* (operation: Operation, fields: OrderFields) {
  const { target, named, receipt, trail } = yield* create(operation, fields)
  const { orderId } = receipt
  if (orderId === undefined) return yield* Ending.stillUnknown(operation.name, { ...named, trail })
  return yield* completeAuthentication({ target, named: { ...named, orderId }, trail })
})
