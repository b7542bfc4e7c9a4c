/** A run reports its progress, and what it saw if it ends early. */
import { assert, layer } from "@effect/vitest"
import type * as Conformance from "@pay/conformance/Conformance"
import { NodeServer } from "@pay/gateway/NodeServer"
import { Deferred, Effect, Redacted } from "effect"
import type { Check } from "../../tools/conformance/src/Check.ts"
import * as Merchants from "../harness/Merchants.ts"
import * as TestGateway from "../harness/TestGateway.ts"
import { at, before, type Fault } from "./FaultyGateway.ts"
import * as TestRun from "./TestRun.ts"

const sale = /^outcome\/sale-approved$/

const only = (ids: RegExp) => ({ isWanted: ({ id }: Check) => ids.test(id) })

const gateway = TestGateway.layer({ merchants: Merchants.both() })

layer(gateway, { excludeTestServices: true })("a run", (it) => {
  it.effect("ends with what it saw if the gateway stops answering", () =>
    Effect.gen(function* () {
      let requests = 0
      const fault: Fault = ({ answer }) => {
        requests += 1
        return requests > 60 ? (socket) => void socket.resetAndDestroy() : answer
      }
      const baseUrl = yield* before((yield* NodeServer).publicBaseUrl, fault)
      const run = yield* TestRun.at(baseUrl, { ...only(/^states\//), concurrency: 2 })
      assert.strictEqual(run.unfinished, "the gateway does not answer any more")
      assert.isAbove(run.results.length, 0)
      assert.isBelow(run.results.length, run.all)
    })
  )

  it.effect("ends with what it saw when it is stopped, also before the first check", () =>
    Effect.gen(function* () {
      const baseUrl = (yield* NodeServer).publicBaseUrl
      const early = yield* TestRun.at(baseUrl, { stop: Effect.succeed("stopped") })
      assert.deepStrictEqual([early.unfinished, early.results.length], ["stopped", 0])
      const stop = yield* Deferred.make<string>()
      const onResult = () => Deferred.doneUnsafe(stop, Effect.succeed("stopped"))
      const late = yield* TestRun.at(baseUrl, {
        ...only(/^states\//),
        concurrency: 1,
        stop: Deferred.await(stop),
        onResult
      })
      assert.deepStrictEqual([late.unfinished, late.results.length, late.all > 5], ["stopped", 1, true])
    })
  )

  it.effect("reports its progress while no check ends, and what it waits for", () =>
    Effect.gen(function* () {
      const silent = yield* before(
        (yield* NodeServer).publicBaseUrl,
        at("sale", () => () => undefined)
      )
      const stop = yield* Deferred.make<string>()
      const reports: Array<Conformance.Progress> = []
      const onProgress = (progress: Conformance.Progress) => {
        reports.push(progress)
        if (progress.oldest?.includes("sale") === true) Deferred.doneUnsafe(stop, Effect.succeed("reports"))
      }
      const options = {
        ...only(sale),
        limitSeconds: 0.2,
        stop: Deferred.await(stop),
        onProgress,
        progressEvery: "20 millis"
      } as const
      const { unfinished } = yield* TestRun.at(silent, options)
      const last = reports.at(-1)
      assert.deepStrictEqual([unfinished, reports[0]?.phase, last?.phase], ["reports", "operations", "checks"])
      assert.strictEqual(last?.oldest, "outcome/sale-approved: no answer yet to POST /api/v2/sale/1001")
    })
  )

  it.effect("reports a check that breaks off, and makes the others", () =>
    Effect.gen(function* () {
      const settings = { ...TestRun.settings, privateKey: Redacted.make("no key") }
      const { results } = yield* TestRun.at((yield* NodeServer).publicBaseUrl, {
        ...only(/^(oauth\/v4\/payout\/time|outcome\/sale-approved)$/),
        settings
      })
      const outcomes = results.map(({ outcome }) => (outcome._tag === "Failed" ? outcome.message : outcome._tag))
      assert.match(outcomes.join(), /^the check broke off: .*,Passed$/)
    })
  )

  it.effect("names an address that does not speak TLS", () =>
    Effect.gen(function* () {
      const address = (yield* NodeServer).publicBaseUrl.replace("http:", "https:")
      const { message } = yield* Effect.flip(TestRun.at(address))
      assert.match(message, /the address does not speak TLS: it may need http/)
    })
  )
})
