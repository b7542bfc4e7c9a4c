/** Flows are effects: one after the other, side by side, tried again, with a limit of time. */

import * as CallbackInbox from "@pay/flows/CallbackInbox"
import { VerifyAccount } from "@pay/flows/CardPayment"
import * as Flow from "@pay/flows/Flow"
import * as Shopper from "@pay/flows/Shopper"
import { Rebill, Tokenize } from "@pay/flows/StoredCard"
import * as Sandbox from "@pay/sandbox/Sandbox"
import * as PayApi from "@pay/schema/PayApi"
import * as Sample from "@pay/schema/Sample"
import { Console, Effect, Layer, Redacted, Schedule } from "effect"

const { ACCOUNT_VERIFICATION } = PayApi.operations
const server_callback_url = "http://shop.test/told"

/** Checks the card and keeps it: two flows as one. */
const signUp = Effect.fn(function* (customer: string) {
  const sample = { ...Sample.request(ACCOUNT_VERIFICATION), client_orderid: customer, server_callback_url }
  const holder = yield* Effect.fromResult(ACCOUNT_VERIFICATION.decodeFields(sample))
  const { orderId } = yield* Flow.run(VerifyAccount, holder)
  return yield* Flow.run(Tokenize, { client_orderid: customer, orderid: orderId })
})

/** Tried again only where that cannot pay twice; what is not known in ten minutes is for later. */
const charge = (cardrefid: string, invoice: string) =>
  Flow.run(Rebill, {
    client_orderid: invoice,
    cardrefid,
    amount: "10.42",
    currency: "USD",
    order_desc: invoice,
    ipaddress: "203.0.113.7",
    server_callback_url
  }).pipe(
    Effect.retry({ while: ({ retryable }) => retryable, times: 3, schedule: Schedule.exponential("1 second") }),
    Effect.timeout("10 minutes")
  )

const listen = Effect.gen(function* () {
  const controlKeys = [Redacted.make(Sandbox.merchant.controlKey)]
  const inbox = yield* CallbackInbox.make({ keys: { controlKeys } })
  const { answerWith } = yield* Sandbox.Inbox
  yield* answerWith(({ headers, url }) =>
    Effect.map(inbox.receive({ method: "GET", url, headers }), ({ status }) => status)
  )
})

const program = Effect.gen(function* () {
  yield* listen
  const { cardRefId } = yield* signUp("CUSTOMER-1")
  const invoices = ["INV-1", "INV-2", "INV-3"]
  const orders = yield* Effect.forEach(invoices, (invoice) => charge(cardRefId, invoice), { concurrency: 3 })
  for (const { clientOrderId, status } of orders) yield* Console.log(`${clientOrderId} ${status}`)
})

await Effect.runPromise(Effect.provide(program, Layer.merge(Sandbox.layer(), Shopper.layerNone)))
