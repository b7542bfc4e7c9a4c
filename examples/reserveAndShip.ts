/** A reservation that is captured in two parts; if the warehouse fails in between, what is left is released. */
import * as CallbackInbox from "@pay/flows/CallbackInbox"
import * as Hold from "@pay/flows/Hold"
import * as Shopper from "@pay/flows/Shopper"
import * as Sandbox from "@pay/sandbox/Sandbox"
import * as PayApi from "@pay/schema/PayApi"
import * as Sample from "@pay/schema/Sample"
import { PayClient } from "@pay/transport/PayClient"
import { Console, Data, Effect, Layer, Redacted } from "effect"

const { PREAUTH } = PayApi.operations

class OutOfStock extends Data.TaggedError("OutOfStock") {}

const payment = (client_orderid: string) =>
  Effect.fromResult(
    PREAUTH.decodeFields({ ...Sample.request(PREAUTH), client_orderid, server_callback_url: "http://shop.test/told" })
  )

/** Ships one parcel after the other, each paid as it leaves. */
const ship = Effect.fn(function* (invoice: string, pick: (parcel: number) => Effect.Effect<void, OutOfStock>) {
  const hold = yield* Hold.reserve(yield* payment(invoice))
  yield* pick(1)
  yield* hold.capture({ name: "parcel-1", amount: "6.00", currency: "USD" })
  yield* pick(2)
  yield* hold.capture({ name: "parcel-2" })
}, Effect.scoped)

/** Callbacks wake what waits for them. */
const listen = Effect.gen(function* () {
  const controlKeys = [Redacted.make(Sandbox.merchant.controlKey)]
  const inbox = yield* CallbackInbox.make({ keys: { controlKeys } })
  const { answerWith } = yield* Sandbox.Inbox
  yield* answerWith(({ headers, url }) =>
    Effect.map(inbox.receive({ method: "GET", url, headers }), ({ status }) => status)
  )
})

const tell = Effect.fn(function* (invoice: string) {
  const client = yield* PayClient
  const { "captured-amount": captured, "transaction-type": type } = yield* client.status({ client_orderid: invoice })
  yield* Console.log(`${invoice}: ${captured} of 10.42 captured, now a ${type}`)
})

const program = Effect.gen(function* () {
  yield* listen
  yield* ship("INV-1", () => Effect.void)
  yield* tell("INV-1")
  yield* Effect.flip(ship("INV-2", (parcel) => (parcel === 2 ? Effect.fail(new OutOfStock()) : Effect.void)))
  yield* tell("INV-2")
})

await Effect.runPromise(Effect.provide(program, Layer.merge(Sandbox.layer(), Shopper.layerNone)))
