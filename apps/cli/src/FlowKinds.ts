/** The flows of the command line: the operation whose fields they take, and the flow itself. */
import { accompany } from "@pay/flows/Accompany"
import * as CardPayment from "@pay/flows/CardPayment"
import * as Creation from "@pay/flows/Creation"
import type * as Evidence from "@pay/flows/Evidence"
import * as Flow from "@pay/flows/Flow"
import * as FlowError from "@pay/flows/FlowError"
import { HostedSale } from "@pay/flows/HostedCheckout"
import { OrderStatus } from "@pay/flows/OrderStatus"
import { PayOut } from "@pay/flows/PayOut"
import type { Shopper } from "@pay/flows/Shopper"
import { Subscribe } from "@pay/flows/Subscription"
import * as Operation from "@pay/schema/Operation"
import * as PayApi from "@pay/schema/PayApi"
import type { PayClient } from "@pay/transport/PayClient"
import type { FieldProblem } from "@pay/transport/PayError"
import { Effect, Result, Schema } from "effect"

export type Running = Effect.Effect<OrderStatus, FlowError.FlowError, PayClient | Shopper>

export interface Kind {
  readonly operation: Operation.Operation
  /** The flow with these fields, or what is wrong with them. Sends nothing by itself. */
  readonly prepare: (texts: Readonly<Record<string, string>>) => Result.Result<Running, ReadonlyArray<FieldProblem>>
}

const kind = <O extends Operation.Operation>(
  operation: O,
  start: (request: Operation.Request<O>) => Running
): Kind => ({
  operation,
  prepare: (texts) => Result.map(Operation.decode(operation)(texts), start)
})

const { CREATE_RP_V4, PAYOUT_V4, PREAUTH, SALE, SALEFORM } = PayApi.operations

const kinds = {
  sale: kind(SALE, (request) => Flow.run(CardPayment.CardSale, request)),
  reserve: kind(PREAUTH, (request) => Flow.run(CardPayment.Reserve, request)),
  payout: kind(PAYOUT_V4, (request) => Flow.run(PayOut, request)),
  subscribe: kind(CREATE_RP_V4, (request) =>
    Effect.map(Flow.run(Subscribe, request), ({ order, recurringPaymentId }) => ({ ...order, recurringPaymentId }))
  ),
  hosted: kind(SALEFORM, (request) => Flow.run(HostedSale, request))
} satisfies Readonly<Record<string, Kind>>

export type Name = keyof typeof kinds

export const names = ["sale", "reserve", "payout", "subscribe", "hosted"] as const satisfies ReadonlyArray<Name>

export const find = (name: Name): Kind => kinds[name]

/** What goes on with an order whose card or recipient is not at hand: looks for it, and goes with it to its end. */
const GoOn = Flow.make({
  name: "GoOn",
  summary: "Goes on with an order that was sent before.",
  payload: Schema.Struct({ client_orderid: Schema.String }),
  success: OrderStatus,
  error: FlowError.FlowError,
  idempotencyKey: ({ client_orderid }) => client_orderid,
  run: ({ client_orderid }) => goOn(SALE, client_orderid)
})

const goOn = Effect.fnUntraced(function* (operation: Operation.Operation, clientOrderId: string) {
  const trail: Evidence.Trail = []
  const found = yield* Creation.look({ operation, clientOrderId, endpointId: undefined, trail }, "look")
  if (found?.orderId === undefined) {
    return yield* new FlowError.NeverHappened({ clientOrderId, evidence: trail, operation: operation.name })
  }
  return yield* accompany({ named: { clientOrderId, orderId: found.orderId }, trail })
})

/** Ends `NeverHappened` where the gateway has no such order. */
export const resume = ({ operation }: Kind, clientOrderId: string): Running =>
  Flow.run({ ...GoOn, run: () => goOn(operation, clientOrderId) }, { client_orderid: clientOrderId })
