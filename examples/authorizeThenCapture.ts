/**
 * An authorization that is captured in two parts, one for each parcel that leaves. If the second parcel is out of stock, the rest
 * is voided, after the outcome of every capture is known.
 */
import * as CallbackInbox from "@pay/flows/CallbackInbox"
import { Authorization } from "@pay/flows/CardPayment"
import * as CustomerBrowser from "@pay/flows/CustomerBrowser"
import * as FieldNames from "@pay/flows/FieldNames"
import { FlowEngine } from "@pay/flows/FlowEngine"
import * as FlowPayload from "@pay/flows/FlowPayload"
import { withAuthorization } from "@pay/flows/Hold"
import * as Sandbox from "@pay/sandbox/Sandbox"
import { SandboxControl } from "@pay/sandbox/SandboxControl"
import * as PayApi from "@pay/schema/PayApi"
import * as Sample from "@pay/schema/Sample"
import { PayClient } from "@pay/transport/PayClient"
import { Data, Effect, Layer, Redacted } from "effect"

const { PREAUTH } = PayApi.operations

class OutOfStock extends Data.TaggedError("OutOfStock") {}

/** Ships two parcels, and captures each part when its parcel leaves. */
const ship = Effect.fn(function* (invoice: string, pick: (parcel: number) => Effect.Effect<void, OutOfStock>) {
  const sample = FieldNames.renamed(Sample.request(PREAUTH))
  const fields = { ...sample, clientOrderId: invoice, amount: "10.42", serverCallbackUrl: "http://shop.test/callback" }
  const payment = yield* Effect.fromResult(FlowPayload.decode(Authorization, fields))
  return yield* withAuthorization(
    payment,
    Effect.fnUntraced(function* ({ capture }) {
      yield* pick(1)
      // A repeat under the same name is the same capture.
      yield* capture({ name: "parcel-1", amount: "6.00" })
      yield* pick(2)
      yield* capture({ name: "parcel-2" })
    })
  )
})

/** Returns what the bank has booked for an order, in minor units. */
const booked = Effect.fn(function* (client_orderid: string) {
  const client = yield* PayClient
  const { "paynet-order-id": orderId } = yield* client.status({ client_orderid })
  const { books } = yield* SandboxControl
  return (yield* books.ofOrder(orderId)).map(({ request }) => `${request.kind} ${request.amountMinor}`).join(", ")
})

const program = Effect.gen(function* () {
  // A callback wakes the flow that waits for it.
  const inbox = yield* CallbackInbox.make({ keys: { controlKeys: [Redacted.make(Sandbox.merchant.controlKey)] } })
  yield* Sandbox.deliverTo(inbox.receive)
  yield* ship("INV-1", () => Effect.void)
  yield* Effect.flip(ship("INV-2", (parcel) => (parcel === 2 ? Effect.fail(new OutOfStock()) : Effect.void)))
  return [yield* booked("INV-1"), yield* booked("INV-2")]
})

const layer = Layer.mergeAll(Sandbox.layer(), CustomerBrowser.layerNone, FlowEngine.layerMemory)
const [whole, part] = await Effect.runPromise(Effect.provide(program, layer))
console.log(`both parcels left: ${whole}\none was out of stock: ${part}`)
if (part !== "authorize 1042, capture 600, void 442") throw new Error("the rest was not voided")
