/**
 * Jobs that wait for an unknown outcome are tried again a few times a month, not every minute. They act in the commit that records
 * the outcome.
 */
import { assert, describe, it } from "@effect/vitest"
import { Job } from "@pay/gateway/Entities"
import { Store } from "@pay/gateway/Store"
import { approve } from "@pay/sandbox/Outcome"
import { SandboxControl } from "@pay/sandbox/SandboxControl"
import * as TestRecipients from "@pay/sandbox/TestRecipients"
import * as PayApi from "@pay/schema/PayApi"
import * as Sample from "@pay/schema/Sample"
import { Effect } from "effect"
import * as ClientMerchant from "../harness/ClientMerchant.ts"
import * as HostedPage from "../harness/HostedPage.ts"
import * as World from "../harness/World.ts"
import * as Pages from "./Pages.ts"

/** At most so many looks in 31 days: the first hours, then one a day. */
const mostLooks = 40

const card = { ...HostedPage.goodCard, code: "217" }
const recipient = {
  attempts: "0",
  action: "pay",
  way: "account",
  account: TestRecipients.byName("never-decided")?.numbers.account ?? "",
  recipient: "Jane Doe"
}

const onPage = (name: PayApi.Name, form: Readonly<Record<string, string>>) =>
  Effect.gen(function* () {
    const order = yield* ClientMerchant.send(name, {
      ...Sample.request(PayApi.operations[name]),
      client_orderid: `${name}-1`
    })
    yield* Pages.ask(yield* Pages.tokenOf(order.orderid), form)
    return order
  })

const capturing = Effect.gen(function* () {
  const { forOrder } = yield* SandboxControl
  const order = yield* ClientMerchant.create("PREAUTH")
  yield* World.settled
  yield* forOrder(order.orderid, "capture", { delivery: { _tag: "Undecided" } })
  yield* ClientMerchant.act("CAPTURE", order, { amount: "4.00", currency: "USD" })
  return order
})

const decide = (reference: string) => Effect.flatMap(SandboxControl, ({ settle }) => settle(reference, approve))

const cases = [
  ...(["SALEFORM", "PREAUTHFORM", "PAYMENTFORM", "ACCOUNT_VERIFICATION_FORM"] as const).map((name) => ({
    says: `a page of ${name} whose payment is unknown`,
    begin: onPage(name, card)
  })),
  { says: "the page of a payout whose payment is unknown", begin: onPage("PAYOUTFORM", recipient) },
  { says: "a hold whose capture is unknown", begin: capturing }
]

/** Everything that is due later. */
const waiting = Effect.gen(function* () {
  const store = yield* Store
  return yield* store.find(Job, "key", { limit: 100 })
})

describe("an unknown outcome", () => {
  it.live.each(cases)("needs few inquiries in 31 days: $says", ({ begin }) =>
    Effect.gen(function* () {
      const order = yield* begin
      yield* World.settled
      assert.strictEqual((yield* ClientMerchant.status(order)).status, "unknown")
      yield* World.pass("31 days")
      for (const { jobId, tries } of yield* waiting) assert.isAtMost(tries, mostLooks, jobId)
    }).pipe(Effect.provide(World.layer(), { local: true }))
  )

  it.live("closes its hosted page when it becomes known", () =>
    Effect.gen(function* () {
      const order = yield* onPage("SALEFORM", card)
      yield* World.pass("31 days")
      yield* decide(`${order.orderid}-sale-1`)
      yield* World.pass("1 day")
      assert.strictEqual((yield* ClientMerchant.status(order)).status, "approved")
      assert.deepStrictEqual(yield* waiting, [])
      yield* ClientMerchant.allIsWell
    }).pipe(Effect.provide(World.layer(), { local: true }))
  )

  it.live("delays the lapse of an expired hold until it becomes known", () =>
    Effect.gen(function* () {
      const order = yield* capturing
      yield* World.pass("31 days")
      yield* decide(`${order.orderid}-capture-1`)
      for (let moments = 0; moments < 3 && (yield* ClientMerchant.status(order)).status === "unknown"; moments += 1)
        yield* World.nextMoment
      assert.deepInclude(yield* ClientMerchant.status(order), { "captured-amount": "4.00", "remaining-amount": "0.00" })
      assert.deepStrictEqual(yield* waiting, [])
      const booked = yield* ClientMerchant.booked(order)
      assert.deepStrictEqual(booked, ["hold 1042", "capture 400", "capture 400", "void 642"])
      yield* ClientMerchant.allIsWell
    }).pipe(Effect.provide(World.layer(), { local: true }))
  )
})
