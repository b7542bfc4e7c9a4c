/**
 * An authorization, captured in two parts as two parcels leave. If the warehouse fails in between, the rest is voided, after the
 * outcome of every capture is known.
 */
import * as CallbackInbox from "@pay/flows/CallbackInbox"
import { Authorization } from "@pay/flows/CardPayment"
import * as CustomerBrowser from "@pay/flows/CustomerBrowser"
import * as FieldNames from "@pay/flows/FieldNames"
import * as FlowPayload from "@pay/flows/FlowPayload"
import { withAuthorization } from "@pay/flows/WithAuthorization"
import * as Sandbox from "@pay/sandbox/Sandbox"
import { SandboxControl } from "@pay/sandbox/SandboxControl"
import * as PayApi from "@pay/schema/PayApi"
import * as Sample from "@pay/schema/Sample"
import { PayClient } from "@pay/transport/PayClient"
import { Data, Effect, Layer, Redacted } from "effect"

const { PREAUTH } = PayApi.operations

class OutOfStock extends Data.TaggedError("OutOfStock") {}

/** Ships one parcel after the other; each is paid as it leaves. */
const ship = Effect.fn(function* (invoice: string, pick: (parcel: number) => Effect.Effect<void, OutOfStock>) {
  const sample = FieldNames.renamed(Sample.request(PREAUTH))
  const fields = { ...sample, clientOrderId: invoice, amount: "10.42", serverCallbackUrl: "http://shop.test/told" }
  const payment = yield* Effect.fromResult(FlowPayload.decode(Authorization, fields))
  return yield* withAuthorization(
    payment,
    Effect.fnUntraced(function* ({ capture }) {
      yield* pick(1)
      // The name makes it one capture, however often it is asked for.
      yield* capture({ name: "parcel-1", amount: "6.00" })
      yield* pick(2)
      yield* capture({ name: "parcel-2" })
    })
  )
})

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
