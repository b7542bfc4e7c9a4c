/** Runs the three payments of `PaymentService.ts` against the sandbox, with an issuer, a bank and a payout rail. */

import { assert, describe, it } from "@effect/vitest"
import * as BrowserData from "@pay/flows/BrowserData"
import * as CallbackInbox from "@pay/flows/CallbackInbox"
import * as CustomerBrowser from "@pay/flows/CustomerBrowser"
import { FlowEngine } from "@pay/flows/FlowEngine"
import * as Sandbox from "@pay/sandbox/Sandbox"
import * as ThreeDSControl from "@pay/sandbox/ThreeDSControl"
import { Effect, Layer, Redacted, Result } from "effect"
import * as PaymentService from "../src/PaymentService.ts"

/** The form of a checkout as a browser posts it. */
const form = {
  creditCardNumber: "4444 0000 2222 4444",
  cardPrintedName: "Ada Lovelace",
  ...{ expireMonth: "12", expireYear: "35", cvv2: "123" },
  ...{ address1: "1 St James's Square", city: "London", zipCode: "sw1y 4jh", country: "gb" },
  ...{ email: "ada@example.com", phone: "+44 20 7946 0000", token: "of the shop" },
  ...{ ...BrowserData.form, browserJavascriptEnabled: "true", browserTZ: "-60" }
}
const headers = { accept: "text/html", "accept-language": "en-GB", "user-agent": "Firefox" }
const posted = { form, headers, ipAddress: "203.0.113.7" }
const payer = Effect.fromResult(PaymentService.payerOf(posted))
const sell = (clientOrderId: string) => Effect.flatMap(payer, (each) => PaymentService.sell(clientOrderId, each))

const world = (endpointId: string, verdict: "pass" | "fail" = "pass") =>
  Layer.mergeAll(CustomerBrowser.layerTest(ThreeDSControl.customer(verdict)), FlowEngine.layerMemory).pipe(
    Layer.provideMerge(Sandbox.layer({ endpointId }))
  )

const { threedsMerchant, usd } = Sandbox.endpoints

/** The statuses of the callbacks that the shop has received. */
const callbacks = Effect.flatMap(Sandbox.Inbox, ({ arrived }) =>
  Effect.map(arrived, (all) => all.map(({ callback }) => callback.status))
)

it("a posted form becomes typed fields once, or names every wrong field", () => {
  const { browser, cvv2, creditCardNumber, ...fields } = Result.getOrThrow(PaymentService.payerOf(posted))
  assert.deepInclude(fields, { country: "GB", expireMonth: 12, expireYear: 2035, ipAddress: "203.0.113.7" })
  assert.notProperty(fields, "token")
  assert.isTrue(Redacted.isRedacted(creditCardNumber) && Redacted.isRedacted(cvv2))
  assert.deepInclude(browser, { customerBrowserTimeZone: -60, customerBrowserUserAgent: "Firefox" })
  const wrong = PaymentService.payerOf({
    ...posted,
    form: { ...form, creditCardNumber: "4444", expireMonth: "13", email: "" }
  })
  const names = Result.isFailure(wrong) ? wrong.failure.map(({ field }) => field).sort() : []
  assert.deepStrictEqual(names, ["creditCardNumber", "email", "expireMonth"])
})

describe("a sale with 3-D Secure", () => {
  it.live("charges once, also when it is called again", () =>
    Effect.gen(function* () {
      const first = yield* sell("INV-1")
      assert.match(first, /^paid as order \d+$/)
      assert.strictEqual(yield* sell("INV-1"), first)
      yield* Sandbox.settled
      assert.deepStrictEqual(yield* callbacks, ["approved"])
      assert.deepStrictEqual((yield* Sandbox.reconciliation).findings, [])
    }).pipe(Effect.provide(world(threedsMerchant)))
  )
  it.live("reports a customer whom the issuer does not confirm", () =>
    Effect.gen(function* () {
      const result = yield* sell("INV-2")
      assert.strictEqual(result, "the issuer did not confirm the customer")
    }).pipe(Effect.provide(world(threedsMerchant, "fail")))
  )
})

it.live("a payout is paid after its approval, held without it, and not paid to a closed account", () =>
  Effect.gen(function* () {
    // A callback wakes the flow that waits for it.
    const inbox = yield* CallbackInbox.make({ keys: Sandbox.keys })
    yield* Sandbox.deliverTo(inbox.receive)
    const payOut = (id: string, account: string, isApproved = true) =>
      PaymentService.payOut(id, Redacted.make(account), () => isApproved)
    const [paid, unapproved, closed, misspelt] = yield* Effect.all(
      [
        payOut("PAYOUT-1", "DE89370400440532013000"),
        payOut("PAYOUT-2", "DE89370400440532013000", false),
        payOut("PAYOUT-3", "DE62370400440532013001"),
        payOut("PAYOUT-4", "DE00000000000000000000")
      ],
      { concurrency: "unbounded" }
    )
    assert.deepStrictEqual([paid, unapproved], ["approved", "held"])
    assert.match(closed, /^not paid: /)
    assert.match(misspelt, /^correct the form: /)
  }).pipe(Effect.provide(world(usd)))
)

it.live("a subscription charges each month", () =>
  Effect.gen(function* () {
    const result = yield* PaymentService.subscribe("MEMBER-1", yield* payer)
    assert.match(result, /^active, next charge on \d{4}-\d{2}-\d{2}$/)
    yield* Sandbox.advance("62 days")
    assert.deepStrictEqual(yield* callbacks, ["approved", "approved", "approved"])
  }).pipe(Effect.provide(world(usd)))
)
