/** Gateways on one database of which one is killed every second: nobody loses an order or pays twice. */
import { assert, describe, inject, it } from "@effect/vitest"
import { Effect, Fiber, Schedule } from "effect"
import * as Deployment from "./Deployment.ts"
import * as Invariants from "./Invariants.ts"
import * as Merchant from "./Merchant.ts"

const kills = 5

/** A gateway that is ready while another one is too, a second from now at the earliest. */
const nextVictim = ({ balancer, gateways }: Deployment.Deployment, count: number) =>
  Effect.sync(() => {
    const ready = gateways.filter(({ port }) => balancer.ready().includes(port))
    return ready.length < 2 ? undefined : ready[count % ready.length]
  }).pipe(
    Effect.delay("1 second"),
    Effect.repeat({ until: (victim) => victim !== undefined, schedule: Schedule.spaced("50 millis") }),
    Effect.flatMap((victim) => (victim === undefined ? Effect.die("nobody is ready") : Effect.succeed(victim)))
  )

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
      for (let count = 0; count < kills; count += 1) {
        const victim = yield* nextVictim(deployment, count)
        yield* victim.kill
        yield* Effect.forkChild(victim.start)
      }
      isOver = true
      yield* Fiber.join(crowd)
      yield* Effect.forEach(gateways, ({ start }) => start, { concurrency: "unbounded" })
      assert.isAtLeast(merchant.ledger.acknowledged.size, 5 * kills)
      yield* Invariants.settle(deployment)
      assert.deepStrictEqual(yield* Invariants.problems(deployment, merchant), [])
    })
  )
})
