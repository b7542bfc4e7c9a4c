/** Gateways on one database of which one is killed every second: nobody loses an order or pays twice. */
import { assert, describe, inject, it } from "@effect/vitest"
import { Effect, Fiber, Schedule } from "effect"
import * as Deployment from "./Deployment.ts"
import * as Invariants from "./Invariants.ts"
import * as Merchant from "./Merchant.ts"

const kills = 6

describe("three gateways on one database, one killed every second under load", () => {
  it.live("lose no acknowledged order, charge each once, and tell each outcome in order", () =>
    Effect.gen(function* () {
      const deployment = yield* Deployment.make({ program: inject("gatewayProgram") })
      const { gateways } = deployment
      const merchant = yield* Merchant.make(deployment.balancer.url)
      let isOver = false
      const crowd = yield* Effect.forkChild(
        Merchant.crowd(merchant, { customers: 6, isOver: () => isOver, name: "kill" })
      )
      let count = 0
      yield* Effect.repeat(
        Effect.suspend(() => {
          const victim = gateways[count++ % gateways.length]
          return victim === undefined ? Effect.void : Effect.andThen(victim.kill, Effect.forkChild(victim.start))
        }),
        Schedule.max([Schedule.spaced("1 second"), Schedule.recurs(kills - 1)])
      )
      isOver = true
      yield* Fiber.join(crowd)
      yield* Effect.forEach(gateways, ({ start }) => start, { concurrency: "unbounded" })
      console.log(merchant.ledger.failed.slice(0, 3), merchant.ledger.doubtful.size, deployment.balancer.answers)
      assert.isAtLeast(merchant.ledger.acknowledged.size, 20 * kills)
      yield* Invariants.settle(deployment)
      assert.deepStrictEqual(yield* Invariants.problems(deployment, merchant), [])
    })
  )
})
