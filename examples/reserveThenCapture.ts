/**
 * A reservation, captured in two parts as two parcels leave. `Hold` is a scoped resource: where the warehouse fails in
 * between, what is left is released, and never while it is unknown what became of a capture.
 */
import * as CallbackInbox from "@pay/flows/CallbackInbox"
import * as CustomerBrowser from "@pay/flows/CustomerBrowser"
import * as Hold from "@pay/flows/Hold"
import * as Sandbox from "@pay/sandbox/Sandbox"
import { SandboxControl } from "@pay/sandbox/SandboxControl"
import * as PayApi from "@pay/schema/PayApi"
import * as Sample from "@pay/schema/Sample"
import { PayClient } from "@pay/transport/PayClient"
import { Data, Effect, Layer, Redacted } from "effect"

const { PREAUTH } = PayApi.operations
const server_callback_url = "http://shop.test/told"

class OutOfStock extends Data.TaggedError("OutOfStock") {}

/** Ships one parcel after the other; each is paid as it leaves. */
const ship = Effect.fn(function* (invoice: string, pick: (parcel: number) => Effect.Effect<void, OutOfStock>) {
  const sample = { ...Sample.request(PREAUTH), client_orderid: invoice, amount: "10.42", server_callback_url }
  const hold = yield* Hold.reserve(yield* Effect.fromResult(PREAUTH.decodeFields(sample)))
  yield* pick(1)
  // The name makes it one capture, however often it is asked for.
  yield* hold.capture({ name: "parcel-1", amount: "6.00", currency: "USD" })
  yield* pick(2)
  yield* hold.capture({ name: "parcel-2" })
}, Effect.scoped)

/** What the bank did for an order, each thing with its minor units. */
const done = Effect.fn(function* (client_orderid: string) {
  const client = yield* PayClient
  const { "paynet-order-id": orderId } = yield* client.status({ client_orderid })
  const { books } = yield* SandboxControl
  return (yield* books.ofOrder(orderId)).map(({ request }) => `${request.kind} ${request.amountMinor}`).join(", ")
})

const program = Effect.gen(function* () {
  // Callbacks wake what waits for them.
  const inbox = yield* CallbackInbox.make({ keys: { controlKeys: [Redacted.make(Sandbox.merchant.controlKey)] } })
  yield* Sandbox.deliverTo(inbox.receive)
  yield* ship("INV-1", () => Effect.void)
  yield* Effect.flip(ship("INV-2", (parcel) => (parcel === 2 ? Effect.fail(new OutOfStock()) : Effect.void)))
  return [yield* done("INV-1"), yield* done("INV-2")]
})

const [whole, part] = await Effect.runPromise(
  Effect.provide(program, Layer.merge(Sandbox.layer(), CustomerBrowser.layerNone))
)
console.log(`both parcels left: ${whole}\none was out of stock: ${part}`)
if (part !== "authorize 1042, capture 600, cancel 442") throw new Error("what was left was not released")
