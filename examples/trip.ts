/**
 * A trip of three suppliers, as a flow of your own. It holds the three prices on the card at once, and charges them only if all
 * three are approved. If one is declined, or the program fails or ends in between, the others are voided.
 */

import * as CallbackInbox from "@pay/flows/CallbackInbox"
import { Authorization } from "@pay/flows/CardPayment"
import * as CustomerBrowser from "@pay/flows/CustomerBrowser"
import * as Flow from "@pay/flows/Flow"
import { FlowEngine } from "@pay/flows/FlowEngine"
import { authorize } from "@pay/flows/Hold"
import * as Sandbox from "@pay/sandbox/Sandbox"
import { Effect, Layer, Redacted, Schema, Struct } from "effect"

const card = ["creditCardNumber", "cardPrintedName", "expireMonth", "expireYear", "cvv2"] as const
const contact = ["address1", "city", "zipCode", "country", "email", "ipAddress"] as const

const Trip = Flow.make({
  name: "Trip",
  payload: Schema.Struct({
    trip: Schema.String,
    prices: Schema.Struct({ flight: Schema.String, hotel: Schema.String, car: Schema.String }),
    ...Struct.pick(Authorization.payload.fields, [...card, ...contact])
  }),
  success: Schema.Array(Schema.String),
  idempotencyKey: ({ trip }) => trip,
  run: ({ prices, trip, ...customer }) =>
    Effect.gen(function* () {
      const order = { ...customer, orderDesc: trip, currency: "USD", serverCallbackUrl: "http://shop.test/callback" }
      const holds = yield* Effect.forEach(
        Object.entries(prices),
        ([supplier, amount]) => authorize({ ...order, clientOrderId: `${trip}-${supplier}`, amount }),
        { concurrency: "unbounded" }
      )
      const charges = yield* Effect.forEach(holds, (hold) => hold.capture({ name: "ticket" }))
      return charges.map(({ capturedAmount, clientOrderId }) => `${clientOrderId} ${capturedAmount}`)
    }).pipe(Effect.scoped)
})

const customer = {
  // The bank of this test card declines amounts above 5.00.
  creditCardNumber: Redacted.make("4444011300000000"),
  cardPrintedName: "ADA LOVELACE",
  ...{ expireMonth: 12, expireYear: 2035, cvv2: Redacted.make("123") },
  ...{ address1: "1 St James's Square", city: "London", zipCode: "SW1Y 4JH", country: "GB" },
  ...{ email: "ada@example.com", ipAddress: "203.0.113.7" }
}
const program = Effect.gen(function* () {
  const inbox = yield* CallbackInbox.make({ keys: Sandbox.keys })
  yield* Sandbox.deliverTo(inbox.receive)
  const paid = yield* Trip.execute({ ...customer, trip: "T-1", prices: { flight: "4.00", hotel: "3.00", car: "1.00" } })
  const dear = { ...customer, trip: "T-2", prices: { flight: "4.00", hotel: "6.00", car: "1.00" } }
  const { message } = yield* Effect.flip(Trip.execute(dear))
  return [...paid, `nothing is charged: ${message}`, ...(yield* Sandbox.reconciliation).findings]
})

const layer = Layer.mergeAll(Sandbox.layer(), CustomerBrowser.layerNone, FlowEngine.layerMemory)
const lines = await Effect.runPromise(Effect.provide(program, layer))
console.log(lines.join("\n"))
if (lines.length !== 4) throw new Error("the trips were not booked as expected")
