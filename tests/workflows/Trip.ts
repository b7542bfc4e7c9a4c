/** A trip of several suppliers: each amount is authorized, then each is captured. If one of them fails, no hold stays. */

import { Authorization } from "@pay/flows/CardPayment"
import * as Flow from "@pay/flows/Flow"
import { authorize } from "@pay/flows/Hold"
import { OrderStatus } from "@pay/flows/OrderStatus"
import * as Sandbox from "@pay/sandbox/Sandbox"
import { SandboxControl } from "@pay/sandbox/SandboxControl"
import * as PayApi from "@pay/schema/PayApi"
import { PayClient } from "@pay/transport/PayClient"
import { Effect, Schema } from "effect"
import { payloadOf } from "./Requests.ts"

export const Trip = Flow.make({
  name: "Trip",
  operation: PayApi.operations.PREAUTH,
  payload: Schema.Struct({ trip: Schema.String, payments: Schema.Array(Authorization.payload) }),
  success: Schema.Array(OrderStatus),
  idempotencyKey: ({ trip }) => trip,
  run: ({ payments, trip }) =>
    Effect.scoped(
      Effect.gen(function* () {
        const holds = yield* Effect.forEach(payments, authorize, { concurrency: "unbounded" })
        return yield* Effect.forEach(holds, (hold) => hold.capture({ name: trip }))
      })
    )
})

export type TripPayload = typeof Trip.payload.Type

export const suppliers = ["hotel", "flight", "car"]

/** The payload of a trip, with one order for each supplier. */
export const tripOf = Effect.fnUntraced(function* (trip: string, orders: ReadonlyArray<string> = suppliers) {
  const payments = yield* Effect.forEach(orders, (clientOrderId) => payloadOf(Authorization, { clientOrderId }))
  const payload: TripPayload = { trip, payments }
  return payload
})

/** What the bank has booked for each order, in minor units, and the amount that it still holds. */
export const atBank = Effect.fnUntraced(function* (orders: ReadonlyArray<string> = suppliers) {
  yield* Sandbox.settled
  const { books } = yield* SandboxControl
  const client = yield* PayClient
  return yield* Effect.forEach(orders, (client_orderid) =>
    client.status({ client_orderid }).pipe(
      Effect.flatMap(({ "paynet-order-id": orderId, "remaining-amount": remaining = "" }) =>
        Effect.map(books.ofOrder(orderId), (bookings) => {
          const booked = bookings.map(({ request: { amountMinor, kind } }) => `${kind} ${amountMinor}`).join(", ")
          return Number(remaining) === 0 ? booked : `${booked}, ${remaining} is held`
        })
      ),
      Effect.orElseSucceed(() => "no order")
    )
  )
})
