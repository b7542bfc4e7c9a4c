/** 200 orders at a challenge cost rows in the store, and no running work. */
import { getActiveResourcesInfo } from "node:process"
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { Job } from "../../src/kernel/Job.ts"
import { Scheduler } from "../../src/kernel/Scheduler.ts"
import { Store } from "../../src/kernel/Store.ts"
import { Authentication } from "../../src/threeds/decide/Authentication.ts"
import * as Issuer from "./Issuer.ts"
import * as ScriptedGateway from "./ScriptedGateway.ts"

const timers = (): number => getActiveResourcesInfo().filter((name) => name === "Timeout").length

/** The timers of the scheduler and of the test runner. */
const someTimers = 20

/** Creates orders and takes them to a challenge. */
const challenged = Effect.fnUntraced(function* (endpointId: string, from: number, to: number) {
  for (let n = from; n < to; n += 1) {
    const fields = ScriptedGateway.saleFields({ client_orderid: `waiting-${n}` })
    const { status } = yield* ScriptedGateway.post(ScriptedGateway.SALE, fields, endpointId)
    assert.strictEqual(status, 200)
  }
  yield* ScriptedGateway.settle
})

/** Returns the waiting jobs, and the work of this process for them. */
const costs = Effect.gen(function* () {
  const store = yield* Store
  const jobs = yield* store.find(Job, "due", { equals: ["threeds"], limit: 10_000 })
  const stages = yield* Effect.forEach(jobs, ({ subject }) =>
    Effect.map(store.load(Authentication, [subject]), (row) => String(row?.stage))
  )
  return {
    waiting: jobs.length,
    stages: [...new Set(stages)],
    heldMinor: jobs.filter(({ token }) => token !== null).length,
    load: (yield* Scheduler).load()
  }
})

describe("orders that wait for a customer at a challenge", () => {
  // With real time: a timer of theirs would be one of the process.
  it.live.each(["gateway", "merchant"] as const)(
    "are only rows in the store, without jobs under way or timers, in %s mode",
    (mode) => {
      const scripted = ScriptedGateway.make({ enrolment: Issuer.withoutMethod })
      return Effect.gen(function* () {
        const endpointId = ScriptedGateway.endpoints[mode]
        const idle = { stages: ["challenge"], heldMinor: 0, load: 0 }
        yield* challenged(endpointId, 0, 10)
        assert.deepStrictEqual(yield* costs, { waiting: 10, ...idle })
        const few = timers()
        yield* challenged(endpointId, 10, 200)
        assert.deepStrictEqual(yield* costs, { waiting: 200, ...idle })
        assert.isBelow(timers(), few + someTimers)
        assert.lengthOf(scripted.authorized, 0)
      }).pipe(Effect.provide(ScriptedGateway.layer(scripted, { live: true })))
    }
  )
})
