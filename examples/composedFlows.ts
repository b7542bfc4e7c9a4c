/**
 * Flows are effects, so they compose. The program verifies a card and stores it. Then it charges a flight and a hotel to the card
 * in parallel. Both charges run to their outcome. If one of them fails, the other is refunded.
 */
import * as CallbackInbox from "@pay/flows/CallbackInbox"
import { VerifyAccount } from "@pay/flows/CardPayment"
import * as CustomerBrowser from "@pay/flows/CustomerBrowser"
import * as FieldNames from "@pay/flows/FieldNames"
import { FlowEngine } from "@pay/flows/FlowEngine"
import * as FlowPayload from "@pay/flows/FlowPayload"
import { Refund } from "@pay/flows/OrderAction"
import { Rebill, Tokenize } from "@pay/flows/StoredCard"
import * as Sandbox from "@pay/sandbox/Sandbox"
import * as PayApi from "@pay/schema/PayApi"
import * as Sample from "@pay/schema/Sample"
import { Effect, Layer, Redacted, Result } from "effect"

const { ACCOUNT_VERIFICATION } = PayApi.operations
const serverCallbackUrl = "http://shop.test/callback"

/** Two flows in one: verifies a card, then stores it. */
const storeCard = Effect.fn(function* (clientOrderId: string, creditCardNumber: string) {
  const sample = FieldNames.renamed(Sample.request(ACCOUNT_VERIFICATION))
  const fields = { ...sample, clientOrderId, creditCardNumber, serverCallbackUrl }
  const { orderId } = yield* VerifyAccount.execute(yield* Effect.fromResult(FlowPayload.decode(VerifyAccount, fields)))
  return yield* Tokenize.execute({ clientOrderId, orderId })
})

/** Charges the stored card. Repeats only if a repeat cannot charge twice. */
const charge = (cardRefId: string, clientOrderId: string, amount: string) =>
  Rebill.execute({
    ...{ clientOrderId, cardRefId, amount, currency: "USD", orderDesc: clientOrderId },
    ...{ ipAddress: "203.0.113.7", serverCallbackUrl }
  }).pipe(Effect.retry({ while: ({ retryable }) => retryable, times: 3 }))

const book = Effect.fn(function* (trip: string, cardRefId: string, hotel: string) {
  const charges = [charge(cardRefId, `${trip}-flight`, "4.00"), charge(cardRefId, `${trip}-hotel`, hotel)]
  const outcomes = yield* Effect.all(charges, { concurrency: "unbounded", mode: "result" })
  const failed = outcomes.find(Result.isFailure)
  if (failed === undefined) return `${trip} is booked`
  for (const order of outcomes.filter(Result.isSuccess).map(Result.getOrThrow))
    yield* Refund.execute(Refund.of(order, { name: "trip cancelled", serverCallbackUrl }))
  return `${trip} is cancelled: ${failed.failure.message}; the other charge was refunded`
})

const program = Effect.gen(function* () {
  // A callback wakes the flow that waits for it.
  const inbox = yield* CallbackInbox.make({ keys: { controlKeys: [Redacted.make(Sandbox.merchant.controlKey)] } })
  yield* Sandbox.deliverTo(inbox.receive)
  // The test card declines amounts above 5.00.
  const { cardRefId } = yield* storeCard("CUSTOMER-1", "4444011300000000")
  return [yield* book("TRIP-1", cardRefId, "3.00"), yield* book("TRIP-2", cardRefId, "6.00")]
})

const trips = await Effect.runPromise(
  Effect.provide(program, Layer.mergeAll(Sandbox.layer(), CustomerBrowser.layerNone, FlowEngine.layerMemory))
)
console.log(trips.join("\n"))
if (!trips[1]?.endsWith("refunded")) throw new Error("a cancelled trip was not refunded")
