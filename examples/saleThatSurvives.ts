/**
 * A sale that survives its process. The engine records each step in a file. The first process ends while the customer is at the
 * issuer. The next one continues from the file, and the card is charged once. The gateway in this process stays up meanwhile.
 */
import { randomBytes } from "node:crypto"
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { CardSale } from "@pay/flows/CardPayment"
import * as CustomerBrowser from "@pay/flows/CustomerBrowser"
import * as Durable from "@pay/flows/durable"
import * as Cipher from "@pay/flows/durable/Cipher"
import * as Sandbox from "@pay/sandbox/Sandbox"
import * as ThreeDSControl from "@pay/sandbox/ThreeDSControl"
import { Deferred, Effect, Layer, Redacted } from "effect"

const payment = {
  clientOrderId: "INV-1",
  orderDesc: "Two tickets",
  amount: "42.00",
  currency: "USD",
  creditCardNumber: Redacted.make("4444000022224444"),
  cardPrintedName: "ADA LOVELACE",
  expireMonth: 12,
  expireYear: 2035,
  address1: "1 St James's Square",
  city: "London",
  zipCode: "SW1Y 4JH",
  country: "GB",
  email: "ada@example.com",
  ipAddress: "203.0.113.7",
  redirectUrl: "https://shop.example/orders/INV-1/back"
}
const folder = mkdtempSync(join(tmpdir(), "flows-"))

const program = Effect.gen(function* () {
  const cipher = yield* Cipher.make({ key: Redacted.make(randomBytes(32).toString("base64")) })
  const engine = Layer.provideMerge(CardSale.layer, Durable.layer({ path: join(folder, "flows.db"), cipher }))

  const atIssuer = yield* Deferred.make<void>()
  const slow = CustomerBrowser.layerTest(() => Effect.as(Deferred.succeed(atIssuer, undefined), undefined))
  // After `start` the payment is on the disk, so a shop answers its customer now. The security code is never stored.
  const first = Effect.andThen(CardSale.start({ ...payment, cvv2: Redacted.make("123") }), Deferred.await(atIssuer))
  yield* Effect.provide(first, Layer.provideMerge(engine, slow))

  // The next process. `execute` joins the flow that the layer has continued, and needs no security code for that.
  const customer = CustomerBrowser.layerTest(ThreeDSControl.customer("pass"))
  const { status } = yield* Effect.provide(CardSale.execute(payment), Layer.provideMerge(engine, customer))
  return status
})

const sandbox = Sandbox.layer({ endpointId: Sandbox.endpoints.threedsMerchant })
const status = await Effect.runPromise(Effect.provide(program, sandbox))
rmSync(folder, { recursive: true })
console.log(`the sale of the first process is ${status} in the second`)
if (status !== "approved") throw new Error(`it is ${status}`)
