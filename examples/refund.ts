/**
 * Refunds of a sale. Each refund has a name of yours, such as the number of a return slip. The same name is the same refund, also
 * after a restart or a double click. Two refunds of the same amount need two names.
 */

import * as CallbackInbox from "@pay/flows/CallbackInbox"
import { CardSale } from "@pay/flows/CardPayment"
import * as CustomerBrowser from "@pay/flows/CustomerBrowser"
import { FlowEngine } from "@pay/flows/FlowEngine"
import { Refund } from "@pay/flows/OrderAction"
import * as Sandbox from "@pay/sandbox/Sandbox"
import { Effect, Layer, Redacted } from "effect"

const serverCallbackUrl = "http://shop.test/callback"

const program = Effect.gen(function* () {
  // A callback wakes the flow that waits for it. Without one, the flow asks every few seconds.
  const inbox = yield* CallbackInbox.make({ keys: Sandbox.keys })
  yield* Sandbox.deliverTo(inbox.receive)
  const order = yield* CardSale.execute({
    clientOrderId: "INV-1",
    orderDesc: "Three tickets",
    amount: "30.00",
    currency: "USD",
    creditCardNumber: Redacted.make("4444555566661111"),
    cardPrintedName: "ADA LOVELACE",
    expireMonth: 12,
    expireYear: 2035,
    cvv2: Redacted.make("123"),
    address1: "1 St James's Square",
    city: "London",
    zipCode: "SW1Y 4JH",
    country: "GB",
    email: "ada@example.com",
    ipAddress: "203.0.113.7",
    serverCallbackUrl
  })

  const refund = (name: string, amount: string | undefined) =>
    Refund.execute(Refund.of(order, { name, amount, serverCallbackUrl })).pipe(
      Effect.retry({ while: ({ retryable }) => retryable, times: 3 }),
      Effect.map(({ returnedAmount }) => `${name}: ${returnedAmount} of 30.00 is refunded`),
      Effect.catch(({ message }) => Effect.succeed(`${name}: ${message}`))
    )
  return [
    yield* refund("slip-1", "10.00"),
    yield* refund("slip-1", "10.00"),
    yield* refund("slip-2", "25.00"),
    // Without an amount: all that is left.
    yield* refund("slip-3", undefined)
  ]
})

const layer = Layer.mergeAll(Sandbox.layer(), CustomerBrowser.layerNone, FlowEngine.layerMemory)
const lines = await Effect.runPromise(Effect.provide(program, layer))
console.log(lines.join("\n"))
if (lines.at(-1) !== "slip-3: 30.00 of 30.00 is refunded") throw new Error("not everything is refunded")
