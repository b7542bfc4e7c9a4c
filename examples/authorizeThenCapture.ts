/**
 * An authorization that is captured in two parts, one for each parcel that leaves. If the second parcel is out of stock, the scope
 * closes with an error, and the amount that is left is voided.
 */
import { AwaitFinal } from "@pay/flows/AwaitFinal"
import * as CallbackInbox from "@pay/flows/CallbackInbox"
import * as CustomerBrowser from "@pay/flows/CustomerBrowser"
import { FlowEngine } from "@pay/flows/FlowEngine"
import { authorize } from "@pay/flows/Hold"
import * as Sandbox from "@pay/sandbox/Sandbox"
import { SandboxControl } from "@pay/sandbox/SandboxControl"
import { Data, Effect, Layer, Redacted } from "effect"

class OutOfStock extends Data.TaggedError("OutOfStock") {}

/** Ships two parcels, and captures each part when its parcel leaves. */
const ship = Effect.fn(function* (clientOrderId: string, pick: (parcel: number) => Effect.Effect<void, OutOfStock>) {
  const hold = yield* authorize({
    clientOrderId,
    orderDesc: "Two parcels",
    amount: "10.42",
    currency: "USD",
    creditCardNumber: Redacted.make("4444555566661111"),
    cardPrintedName: "ADA LOVELACE",
    expireMonth: 12,
    expireYear: 2035,
    cvv2: Redacted.make("123"),
    ...{ address1: "1 St James's Square", city: "London", zipCode: "SW1Y 4JH", country: "GB" },
    ...{ email: "ada@example.com", ipAddress: "203.0.113.7", serverCallbackUrl: "http://shop.test/callback" }
  })
  yield* pick(1)
  // A repeat under the same name is the same capture.
  yield* hold.capture({ name: "parcel-1", amount: "6.00" })
  yield* pick(2)
  // Without an amount: all that is left.
  yield* hold.capture({ name: "parcel-2" })
}, Effect.scoped)

/** Returns what the bank has booked for an order, in minor units. */
const booked = Effect.fn(function* (clientOrderId: string) {
  const { orderId } = yield* AwaitFinal.execute({ clientOrderId })
  const { books } = yield* SandboxControl
  return (yield* books.ofOrder(orderId)).map(({ request }) => `${request.kind} ${request.amountMinor}`).join(", ")
})

const program = Effect.gen(function* () {
  // A callback wakes the flow that waits for it. Without one, the flow asks every few seconds.
  const inbox = yield* CallbackInbox.make({ keys: Sandbox.keys })
  yield* Sandbox.deliverTo(inbox.receive)
  yield* ship("INV-1", () => Effect.void)
  yield* Effect.flip(ship("INV-2", (parcel) => (parcel === 2 ? Effect.fail(new OutOfStock()) : Effect.void)))
  return [yield* booked("INV-1"), yield* booked("INV-2")]
})

const layer = Layer.mergeAll(Sandbox.layer(), CustomerBrowser.layerNone, FlowEngine.layerMemory)
const [whole, part] = await Effect.runPromise(Effect.provide(program, layer))
console.log(`both parcels left: ${whole}\none was out of stock: ${part}`)
if (part !== "authorize 1042, capture 600, void 442") throw new Error("the rest was not voided")
