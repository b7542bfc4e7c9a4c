/** This repository's gateway passes the conformance suite, and every check names a clause that exists. */
import { assert, describe, it } from "@effect/vitest"
import * as Conformance from "@pay/conformance/Conformance"
import * as PayApi from "@pay/schema/PayApi"
import * as Sandbox from "@pay/server/Sandbox"
import { Effect, Redacted } from "effect"
import { serve } from "../../packages/schema/test/Loopback.ts"
import type { Check } from "../../tools/conformance/src/Check.ts"
import * as TestRun from "./TestRun.ts"

describe("the conformance suite", () => {
  it.live("is passed by the sandbox gateway on SQLite without a skipped check", () =>
    Effect.gen(function* () {
      const run = yield* TestRun.at(yield* TestRun.gateway())
      assert.deepStrictEqual(TestRun.problems(run), [])
      assert.lengthOf(run.results, Conformance.checks.length)
    })
  )

  it.live("skips the checks of what a gateway does not support", () =>
    Effect.gen(function* () {
      const { cards, controlKey, currency, endpoint, login } = TestRun.settings
      const settings = { login, controlKey, endpoint, currency, cards: { approved: cards.approved } }
      const isWanted = ({ id }: Check) => /^(threeds|payout|time|oauth|merchants|states|acceptance)\//.test(id)
      const { results } = yield* TestRun.at(yield* TestRun.gateway(), { settings, isWanted })
      const named = (tag: string) => results.filter(({ outcome }) => outcome._tag === tag).map(({ check }) => check.id)
      assert.deepStrictEqual(named("Failed"), [])
      assert.include(named("Lacking"), "threeds/merchant/method")
      assert.include(named("Lacking"), "acceptance/v4/payout")
      assert.include(named("Passed"), "acceptance/sale")
    })
  )

  it.live("reports an endpoint of the older dialect without a failure", () =>
    Effect.gen(function* () {
      const { controlKey, endpoints, login } = Sandbox.olderMerchant
      const settings = { ...TestRun.settings, login, controlKey: Redacted.make(controlKey), endpoint: endpoints.usd }
      const isWanted = ({ id }: Check) => /^(request\/.*\/accept|refusal-order\/Accept)$/.test(id)
      const baseUrl = yield* TestRun.gateway({ merchants: Sandbox.merchants })
      const { results } = yield* TestRun.at(baseUrl, { settings, isWanted })
      assert.isAbove(results.length, 30)
      for (const { check, outcome } of results) assert.strictEqual(outcome._tag, "Lacking", check.id)
    })
  )

  it.live("runs in the older dialect, and is passed by a gateway that speaks only that", () =>
    Effect.gen(function* () {
      const { merchants, settings } = TestRun.older
      const baseUrl = yield* TestRun.gateway({ merchants })
      const isWanted = ({ id }: Check) => !/^(missing|spellings|control|oauth|request)\//.test(id)
      const { results } = yield* TestRun.at(baseUrl, { settings, isWanted })
      const others = results.filter(({ outcome }) => outcome._tag !== "Passed").map(({ check }) => check.id)
      assert.deepStrictEqual(others, ["refusal-order/Accept"])
      assert.isAbove(results.length, 250)
      const json = yield* TestRun.at(baseUrl, { isWanted: ({ id }) => id === "acceptance/sale" })
      assert.deepStrictEqual(
        json.results.map(({ outcome }) => outcome._tag),
        ["Failed"]
      )
    })
  )

  it.live("recognizes refusals of the older dialect by their type, with any code", () =>
    Effect.gen(function* () {
      const port = yield* serve((request, response) => {
        request.resume()
        const refusal = "type=validation-error\n&error-code=-17\n&error-message=Wrong\n&serial-number=1\n"
        response.writeHead(200, { "content-type": "text/html;charset=utf-8" }).end(refusal)
      })
      const baseUrl = `http://127.0.0.1:${port}`
      const settings = { ...TestRun.older.settings, capabilities: [] }
      const isWanted = ({ id }: Check) => /^(request\/sale\/|control\/sale\/|acceptance\/sale$)/.test(id)
      const { results } = yield* TestRun.at(baseUrl, { settings, isWanted })
      const failed = results.filter(({ outcome }) => outcome._tag === "Failed").map(({ check }) => check.id)
      assert.deepStrictEqual(failed, ["acceptance/sale"])
      assert.isAbove(results.filter(({ outcome }) => outcome._tag === "Passed").length, 4)
    })
  )

  it.live("detects the gateway's properties also while it answers 429", () =>
    Effect.gen(function* () {
      const addressRate = { perSecond: 20, burst: 5 }
      const baseUrl = yield* TestRun.gateway({ settings: { addressRate } })
      const isWanted = ({ id }: Check) => id === "request/sale/accept"
      const { results } = yield* TestRun.at(baseUrl, { isWanted })
      assert.deepStrictEqual(
        results.map(({ outcome }) => outcome._tag),
        ["Passed"]
      )
    })
  )

  it.live("reports an address without operations as not reachable", () =>
    Effect.gen(function* () {
      const baseUrl = `${yield* TestRun.gateway()}/elsewhere`
      const isWanted = ({ id }: Check) => id === "acceptance/sale"
      const error = yield* Effect.flip(TestRun.at(baseUrl, { isWanted }))
      assert.deepStrictEqual([error._tag, error.code], ["GatewayUnreachable", "HTTP 404"])
    })
  )

  it.live("fails a check that takes too long, and continues", () =>
    Effect.gen(function* () {
      const baseUrl = yield* TestRun.gateway()
      const { cards } = TestRun.settings
      const settings = { ...TestRun.settings, cards: { ...cards, declined: cards.unknown ?? cards.approved } }
      const isWanted = ({ id }: Check) => id === "outcome/sale-declined" || id === "outcome/sale-approved"
      const { results } = yield* TestRun.at(baseUrl, { settings, isWanted, limitSeconds: 1 })
      assert.deepStrictEqual(
        results.map(({ outcome }) => (outcome._tag === "Failed" ? outcome.message.slice(0, 22) : outcome._tag)),
        ["Passed", "took longer than 1 s: "]
      )
    })
  )

  it("has checks of every operation, each with its own id", () => {
    const ids = Conformance.checks.map(({ id }) => id)
    assert.strictEqual(new Set(ids).size, ids.length)
    for (const { command, signing } of PayApi.all) {
      const kinds = ["acceptance", "values", "request", signing._tag === "Control" ? "control" : "oauth"]
      for (const kind of kinds)
        assert(
          ids.some((id) => id.startsWith(`${kind}/${command}`)),
          `${kind} of ${command}`
        )
    }
  })
})
