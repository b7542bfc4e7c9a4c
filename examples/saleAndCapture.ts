/** A hold and a capture, on a gateway with a simulated bank in this process: nothing else has to run. */
import { mkdtempSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { NodeServer } from "@pay/gateway/NodeServer"
import * as PayApi from "@pay/schema/PayApi"
import * as Sample from "@pay/schema/Sample"
import * as Status from "@pay/schema/Status"
import * as Sandbox from "@pay/server/Sandbox"
import * as PayClient from "@pay/transport/PayClient"
import { Console, Effect, Layer, Redacted, Schedule } from "effect"

const { controlKey, endpoints, login } = Sandbox.merchant

const program = Effect.gen(function* () {
  const pay = yield* PayClient.PayClient
  // A plausible request; card number and CVV are `Redacted` from here on.
  const payment = yield* Effect.fromResult(
    PayApi.operations.PREAUTH.decodeFields(Sample.request(PayApi.operations.PREAUTH))
  )

  const held = yield* pay.preauth({ ...payment, client_orderid: "INV-1", amount: "100.00" })
  const order = { client_orderid: "INV-1", orderid: held["paynet-order-id"] }
  yield* final(order)
  yield* pay.capture({ ...order, amount: "60.00", currency: "USD" })
  const status = yield* final(order)
  yield* Console.log(`${status["transaction-type"]} ${status.status}: ${status["captured-amount"]} of 100.00 captured`)
})

/** Asks until nothing moves any more. */
const final = (order: { readonly client_orderid: string; readonly orderid: string }) =>
  Effect.flatMap(PayClient.PayClient, (pay) => pay.status(order)).pipe(
    Effect.repeat({ until: ({ status }) => Status.isFinal(status), schedule: Schedule.spaced("50 millis") })
  )

const gateway = Sandbox.layer({ dataDirectory: mkdtempSync(join(tmpdir(), "pay-example-")), port: 0 })
const client = Layer.unwrap(
  Effect.map(NodeServer, ({ publicBaseUrl }) =>
    PayClient.layer({ baseUrl: publicBaseUrl, login, controlKey: Redacted.make(controlKey), endpointId: endpoints.usd })
  )
)

await Effect.runPromise(Effect.provide(program, Layer.provide(client, gateway)))
