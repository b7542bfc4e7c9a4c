/**
 * Calls one operation. You give typed fields; the client signs them and returns a typed answer or one of four errors. Each
 * error says whether the request may have had an effect. The gateway runs in this process. For a real gateway, provide
 * `PayClient.layerConfig`, which reads PAY_BASE_URL, PAY_LOGIN and so on.
 */
import * as Sandbox from "@pay/sandbox/Sandbox"
import { PayClient } from "@pay/transport/PayClient"
import { Console, Effect, Redacted } from "effect"

const sell = Effect.fn(function* (invoice: string, ipaddress: string) {
  const pay = yield* PayClient
  const { "paynet-order-id": orderId } = yield* pay.sale({
    client_orderid: invoice,
    order_desc: "Two tickets",
    amount: "10.42",
    currency: "USD",
    card_printed_name: "JOHN SMITH",
    // `Redacted` keeps card number and security code out of logs.
    credit_card_number: Redacted.make("4444555566661111"),
    expire_month: 12,
    expire_year: 2035,
    cvv2: Redacted.make("123"),
    address1: "1600 Main Street",
    city: "Los Angeles",
    zip_code: "90001",
    country: "US",
    state: "CA",
    phone: "+12063582043",
    email: "john.smith@gmail.com",
    ipaddress
  })
  return `accepted as order ${orderId}: the outcome comes by callback or status`
})

const report = (invoice: string, ipaddress: string) =>
  Effect.catchTags(sell(invoice, ipaddress), {
    InvalidRequest: ({ message }) => Effect.succeed(`nothing was sent: ${message}`),
    NotSent: ({ code }) => Effect.succeed(`nothing was sent: ${code}; call again`),
    Refused: ({ message }) => Effect.succeed(`nothing was done: ${message}`),
    OutcomeUnknown: ({ code }) => Effect.succeed(`perhaps it was done: ${code}; ask for the status`)
  })

const program = Effect.gen(function* () {
  const good = yield* report("INV-1", "203.0.113.7")
  const bad = yield* report("INV-2", "not an address")
  const network = yield* Sandbox.SimulatedNetwork
  yield* network.loseNextAnswer
  const lost = yield* report("INV-3", "203.0.113.7")
  for (const text of [good, bad, lost]) yield* Console.log(text)
  return [good, bad, lost].map((text) => text.split(" ", 1)[0]).join()
})

const result = await Effect.runPromise(Effect.provide(program, Sandbox.layer()))
if (result !== "accepted,nothing,perhaps") throw new Error(`unexpected result: ${result}`)
