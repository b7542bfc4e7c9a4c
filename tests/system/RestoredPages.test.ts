import { assert, describe, it } from "@effect/vitest"
import { SandboxControl } from "@pay/sandbox/SandboxControl"
import { Effect } from "effect"
import * as HostedPage from "../harness/HostedPage.ts"
import * as Merchants from "../harness/Merchants.ts"
import * as TestGateway from "../harness/TestGateway.ts"
import * as TestMerchant from "../harness/TestMerchant.ts"
import * as Copies from "./Copies.ts"

describe("a hosted payment page that was open in a restored copy", () => {
  const cases: ReadonlyArray<readonly [string, ReadonlyArray<string>, string]> = [
    ["paid at the last attempt", ["116", "116", "123"], "approved sale 10.42 10.42 0.00 0.00"],
    ["never paid", ["116"], "declined sale 0.00 0.00 0.00 0.00"]
  ]
  it.live.each(cases)("that was %s ends with the bank's outcome", ([, codes, expected]) =>
    Copies.restored(
      Effect.fnUntraced(function* (backup) {
        const { names, url } = yield* HostedPage.open("form-restored")
        yield* backup
        for (const [attempts, code] of codes.entries()) {
          yield* HostedPage.pay(url, { code, attempts: String(attempts) })
          yield* TestMerchant.settled
        }
        return names
      }),
      Effect.fnUntraced(function* (names) {
        yield* TestMerchant.pass("2 hours")
        assert.strictEqual(yield* TestMerchant.orderStatus(names), expected)
        assert.deepStrictEqual(yield* (yield* SandboxControl).violations, [])
      })
    )
  )

  const blocked = Merchants.both({
    [TestGateway.endpoints.usd]: { risk: { block: { cards: ["444433"] } } }
  })
  const visits: ReadonlyArray<readonly [string, string, typeof blocked]> = [
    ["cancels it", "cancel", Merchants.both()],
    ["pays again with a card that is blocked", "pay", blocked],
    ["pays again while its endpoint is off", "pay", Merchants.both({ [TestGateway.endpoints.usd]: { enabled: false } })]
  ]
  it.live.each(visits)("that was paid ends with the bank's outcome when the customer %s", ([, action, merchants]) =>
    Copies.restored(
      Effect.fnUntraced(function* (backup) {
        const { names, url } = yield* HostedPage.open("form-restored")
        yield* backup
        yield* HostedPage.pay(url)
        yield* TestMerchant.settled
        return { names, token: new URL(url).pathname }
      }),
      Effect.fnUntraced(function* ({ names, token }) {
        const url = `${yield* HostedPage.baseUrl}${token}`
        yield* TestMerchant.pass("10 minutes")
        if (action === "pay") yield* HostedPage.pay(url)
        else yield* HostedPage.visit(url, { form: { attempts: "0", action } })
        yield* TestMerchant.settled
        assert.strictEqual(yield* TestMerchant.orderStatus(names), "approved sale 10.42 10.42 0.00 0.00")
        const { books } = yield* SandboxControl
        assert.lengthOf(yield* books.all, 1)
      }),
      { after: { merchants } }
    )
  )

  it.live("is not declined while its payment is still under way", () =>
    Copies.restored(
      Effect.fnUntraced(function* (backup) {
        const { next } = yield* SandboxControl
        const { names, url } = yield* HostedPage.open("form-restored")
        yield* backup
        yield* TestMerchant.pass("29 minutes")
        yield* next("authorize", { delivery: { _tag: "ArrivesLate", afterMs: 80_000 } })
        yield* HostedPage.pay(url)
        yield* TestMerchant.pass("30 seconds")
        return { names, token: new URL(url).pathname }
      }),
      Effect.fnUntraced(function* ({ names, token }) {
        const url = `${yield* HostedPage.baseUrl}${token}`
        yield* HostedPage.visit(url, { form: { attempts: "0", action: "cancel" } })
        yield* TestMerchant.pass("35 seconds")
        assert.deepInclude(yield* TestMerchant.status(names), { status: "processing" })
        yield* TestMerchant.pass("2 minutes")
        assert.strictEqual(yield* TestMerchant.orderStatus(names), "approved sale 10.42 10.42 0.00 0.00")
      })
    )
  )
})
