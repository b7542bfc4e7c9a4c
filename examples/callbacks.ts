/**
 * The shop's callback address on an Effect `HttpRouter`. The inbox verifies each callback, drops repeats, and wakes the flow that
 * waits for the order. It takes no outcome from a callback: it asks for the status, and gives that to `onOrder`.
 */
import { createServer } from "node:http"
import { NodeHttpServer } from "@effect/platform-node"
import * as CallbackInbox from "@pay/flows/CallbackInbox"
import * as CallbackRoute from "@pay/flows/CallbackRoute"
import { CardSale } from "@pay/flows/CardPayment"
import * as CustomerBrowser from "@pay/flows/CustomerBrowser"
import { FlowEngine } from "@pay/flows/FlowEngine"
import * as Sandbox from "@pay/sandbox/Sandbox"
import { Effect, Layer, Redacted } from "effect"
import { HttpRouter, HttpServer } from "effect/http"

/** The shop's own records. `onOrder` may be called twice with one status, so it sets the status of an order. */
const orders = new Map<string, string>()

const inbox = CallbackInbox.layer({
  keys: Sandbox.keys,
  onOrder: ({ clientOrderId, status }) => Effect.sync(() => orders.set(clientOrderId, status))
})

const program = Effect.gen(function* () {
  const { address } = yield* HttpServer.HttpServer
  const shop = `http://127.0.0.1:${"port" in address ? address.port : 0}`
  const { expect } = yield* CallbackInbox.CallbackInbox
  // Expect the order before it starts: the callback may come before the answer.
  yield* expect({ clientOrderId: "INV-1" })
  yield* CardSale.execute({
    clientOrderId: "INV-1",
    orderDesc: "Two tickets",
    amount: "42.00",
    currency: "USD",
    creditCardNumber: Redacted.make("4444555566661111"),
    ...{ cardPrintedName: "ADA LOVELACE", expireMonth: 12, expireYear: 2035, cvv2: Redacted.make("123") },
    ...{ address1: "1 St James's Square", city: "London", zipCode: "SW1Y 4JH", country: "GB" },
    ...{ email: "ada@example.com", ipAddress: "203.0.113.7" },
    serverCallbackUrl: `${shop}/pay/callback`
  })
  yield* Sandbox.settled
  const content = `status=approved&orderid=7&client_orderid=INV-2&control=${"0".repeat(40)}`
  const forged = yield* Effect.promise(() => fetch(`${shop}/pay/callback?${content}`))
  return `INV-1 is ${orders.get("INV-1")}, a forged callback gets ${forged.status}`
})

const served = HttpRouter.serve(CallbackRoute.layer("/pay/callback"), { disableLogger: true, disableListenLog: true })
const layer = served.pipe(
  Layer.provideMerge(NodeHttpServer.layer(createServer, { port: 0 })),
  Layer.provideMerge(inbox),
  Layer.provideMerge(Layer.mergeAll(Sandbox.listen(), CustomerBrowser.layerNone, FlowEngine.layerMemory))
)
const outcome = await Effect.runPromise(Effect.provide(program, layer))
console.log(outcome)
if (outcome !== "INV-1 is approved, a forged callback gets 403") throw new Error("the callback did not arrive")
