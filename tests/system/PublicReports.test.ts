/** Failures that other systems reported in public, tried here where no other test has the same input (docs/decisions/public-reports.md). */
import { assert, describe, it } from "@effect/vitest"
import * as Acquirer from "@pay/gateway/Acquirer"
import { Effect, Exit } from "effect"
import * as ClientMerchant from "../harness/ClientMerchant.ts"
import * as World from "../harness/World.ts"
import * as WrongBank from "../harness/WrongBank.ts"

const page = "<html><body><h1>502 Bad Gateway</h1></body></html>"

describe("what other systems reported in public", () => {
  it.live("two refunds of 60 at the same moment for a payment of 100 give back 60", () =>
    Effect.gen(function* () {
      const order = yield* ClientMerchant.create("SALE", { amount: "100.00", currency: "USD" })
      yield* World.settled
      const exits = yield* Effect.all(
        ["a", "b"].map((idempotencyKey) =>
          Effect.exit(ClientMerchant.act("RETURN", order, { amount: "60.00", currency: "USD" }, { idempotencyKey }))
        ),
        { concurrency: "unbounded" }
      )
      yield* World.settled
      assert.strictEqual(exits.filter(Exit.isSuccess).length, 1)
      const booked = (yield* ClientMerchant.atBank(order)).filter((line) => line.startsWith("refund"))
      assert.deepStrictEqual(booked, ["refund 6000 Approved"])
      yield* ClientMerchant.allIsWell
    }).pipe(Effect.provide(World.layer(), { local: true }))
  )

  it.live("the text of an error page before the bank reaches no merchant, and the sale is inquired about", () => {
    const bank = WrongBank.make()
    return Effect.gen(function* () {
      bank.next((answer) =>
        Effect.andThen(
          answer,
          Effect.fail(new Acquirer.AcquirerError({ reason: new Acquirer.AnswerLost({ message: page }) }))
        )
      )
      const order = yield* ClientMerchant.create("SALE")
      yield* World.settled
      const unknown = yield* ClientMerchant.status(order)
      assert.strictEqual(unknown.status, "unknown")
      assert.notInclude(JSON.stringify(unknown), "html")
      assert.include((yield* WrongBank.evidence(order.orderid)).join(), "502 Bad Gateway")
      yield* World.pass("5 minutes")
      assert.strictEqual((yield* ClientMerchant.status(order)).status, "approved")
      assert.deepStrictEqual(yield* ClientMerchant.atBank(order), ["authorize 1042 Approved"])
    }).pipe(Effect.provide(World.layer({ spoilBank: bank.spoilBank }), { local: true }))
  })

  it.live("a decline whose message is cut within a character is final, and its message is stored", () => {
    const bank = WrongBank.make()
    return Effect.gen(function* () {
      bank.next(WrongBank.instead({ _tag: "Declined", code: 5, message: `${"x".repeat(499)}\u{1f4a9}` }))
      const order = yield* ClientMerchant.create("SALE")
      yield* World.settled
      const status = yield* ClientMerchant.status(order)
      assert.strictEqual(status.status, "declined")
      assert.isTrue(status["error-message"]?.isWellFormed())
    }).pipe(Effect.provide(World.layer({ spoilBank: bank.spoilBank }), { local: true }))
  })
})
