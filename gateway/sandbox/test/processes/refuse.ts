/** Makes a gateway refuse requests and lose a callback, in this process and then on a port. */
import * as PayApi from "@pay/schema/PayApi"
import * as Sample from "@pay/schema/Sample"
import * as PayClient from "@pay/transport/PayClient"
import { Effect, Redacted } from "effect"
import * as Sandbox from "../../src/Sandbox.ts"

const { SALE } = PayApi.operations
const logLevel = "None"

const program = Effect.gen(function* () {
  const pay = yield* PayClient.PayClient
  const fields = yield* Effect.orDie(Effect.fromResult(SALE.decodeFields(Sample.request(SALE))))
  const sale = { ...fields, client_orderid: "INV-1", server_callback_url: "http://127.0.0.1:1/callback" }
  yield* pay.sale(sale)
  yield* pay.sale({ ...sale, client_orderid: "INV-2", cvv2: Redacted.make("116") })
  yield* Effect.flip(pay.sale({ ...sale, amount: "99.00" }))
  yield* Effect.flip(pay.status({ client_orderid: "INV-3" }))
  yield* Effect.flip(pay.status({ client_orderid: "INV-1" }, { endpointId: "9" }))
  yield* Sandbox.settled
})

await Effect.runPromise(Effect.provide(program, Sandbox.layer({ logLevel })))
await Effect.runPromise(Effect.provide(program, Sandbox.listen({ logLevel })))
