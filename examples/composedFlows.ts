/**
 * Flows are effects, so they compose. A card is checked and kept; then a flight and a hotel are charged to it side by side.
 * Both run to their end, so that none is left half known; if one of them fails, what the other took is given back.
 */
import * as CallbackInbox from "@pay/flows/CallbackInbox"
import { VerifyAccount } from "@pay/flows/CardPayment"
import * as CustomerBrowser from "@pay/flows/CustomerBrowser"
import * as FieldNames from "@pay/flows/FieldNames"
import * as Flow from "@pay/flows/Flow"
import * as FlowPayload from "@pay/flows/FlowPayload"
import { Refund } from "@pay/flows/OrderAction"
import { Rebill, Tokenize } from "@pay/flows/StoredCard"
import * as Sandbox from "@pay/sandbox/Sandbox"
import * as PayApi from "@pay/schema/PayApi"
import * as Sample from "@pay/schema/Sample"
import { Effect, Layer, Redacted, Result } from "effect"

const { ACCOUNT_VERIFICATION } = PayApi.operations
const serverCallbackUrl = "http://shop.test/told"

/** Two flows as one: a card that is good, and kept. */
const keepCard = Effect.fn(function* (clientOrderId: string, creditCardNumber: string) {
  const sample = FieldNames.renamed(Sample.request(ACCOUNT_VERIFICATION))
  const fields = { ...sample, clientOrderId, creditCardNumber, serverCallbackUrl }
  const { orderId } = yield* Flow.run(
    VerifyAccount,
    yield* Effect.fromResult(FlowPayload.decode(VerifyAccount, fields))
  )
  return yield* Flow.run(Tokenize, { clientOrderId, orderId })
})

/** Tried again only where that cannot charge twice. */
const charge = (cardRefId: string, clientOrderId: string, amount: string) =>
  Flow.run(Rebill, {
    ...{ clientOrderId, cardRefId, amount, currency: "USD", orderDesc: clientOrderId },
    ...{ ipAddress: "203.0.113.7", serverCallbackUrl }
  }).pipe(Effect.retry({ while: ({ retryable }) => retryable, times: 3 }))

const book = Effect.fn(function* (trip: string, cardRefId: string, hotel: string) {
  const charges = [charge(cardRefId, `${trip}-flight`, "4.00"), charge(cardRefId, `${trip}-hotel`, hotel)]
  const ends = yield* Effect.all(charges, { concurrency: "unbounded", mode: "result" })
  const failed = ends.find(Result.isFailure)
  if (failed === undefined) return `${trip} is booked`
  for (const order of ends.filter(Result.isSuccess).map(Result.getOrThrow))
    yield* Flow.run(Refund, Refund.of(order, { name: "trip fell through", serverCallbackUrl }))
  return `${trip} fell through: ${failed.failure.message}; the rest was given back`
})

const program = Effect.gen(function* () {
  // Callbacks wake what waits for them.
  const inbox = yield* CallbackInbox.make({ keys: { controlKeys: [Redacted.make(Sandbox.merchant.controlKey)] } })
  yield* Sandbox.deliverTo(inbox.receive)
  // The test card declines whatever is above 5.00.
  const { cardRefId } = yield* keepCard("CUSTOMER-1", "4444011300000000")
  return [yield* book("TRIP-1", cardRefId, "3.00"), yield* book("TRIP-2", cardRefId, "6.00")]
})

const ends = await Effect.runPromise(Effect.provide(program, Layer.merge(Sandbox.layer(), CustomerBrowser.layerNone)))
console.log(ends.join("\n"))
if (!ends[1]?.endsWith("given back")) throw new Error("a trip that fell through was not given back")
