/** Random merchants and a random bank, each story from a seed: whatever happens, the books are right. */
import { assert, describe, it } from "@effect/vitest"
import { Cause, Effect } from "effect"
import * as World from "../faults/World.ts"
import * as Bank from "./Bank.ts"
import * as Chance from "./Chance.ts"
import * as Invariants from "./Invariants.ts"
import * as Merchant from "./Merchant.ts"

const steps = 150
const seeds = [1, 2, 3, 4, 5, 6, 7, 8]
const pauses = ["1 second", "6 seconds", "40 seconds", "5 minutes", "2 hours", "1 day", "3 days"] as const

interface Story {
  readonly chance: Chance.Chance
  readonly orders: Array<Merchant.Order>
  readonly log: Array<string>
}

/** Younger orders are more interesting. */
const some = ({ chance, orders }: Story): Merchant.Order | undefined =>
  orders[Math.max(chance.below(orders.length + 1), chance.below(orders.length + 1)) - 1]

const follow = ({ chance }: Story, order: Merchant.Order) =>
  chance.percent(25) ? Merchant.followAgain(chance, order) : Merchant.follow(chance, order)

const step = (story: Story) =>
  Effect.gen(function* () {
    const { chance, orders } = story
    const dice = chance.below(100)
    const order = some(story)
    if (order === undefined || dice < 15) {
      const created = yield* Merchant.pay(chance, `order-${orders.length}`)
      orders.push(created)
      return `${created.creation.name} ${created.orderid}`
    }
    if (dice < 20) return yield* Merchant.payAgain(chance, order)
    if (dice < 50) return yield* follow(story, order)
    if (dice < 60) {
      const burst = Array.from({ length: 2 + chance.below(3) }, () => follow(story, order))
      return (yield* Effect.all(burst, { concurrency: "unbounded" })).join(" | ")
    }
    if (dice < 80) return yield* Bank.trouble(chance)
    if (dice < 85) return yield* Bank.insight(chance)
    const pause = chance.oneOf(pauses)
    yield* World.pass(pause)
    return `${pause} pass`
  })

const play = Effect.fnUntraced(function* (story: Story) {
  const { chance, log, orders } = story
  for (let done = 1; done <= steps; done += 1) {
    log.push(yield* step(story))
    if (chance.percent(50)) yield* World.settled
    if (done % 6 === 0) {
      yield* World.settled
      yield* Invariants.always(orders)
    }
  }
  for (let times = 0; times < 20; times += 1) {
    yield* Bank.clarity(chance)
    yield* World.pass("3 days")
  }
  yield* Invariants.inTheEnd(orders)
})

describe("a random story", () => {
  it.live.each(seeds)("from seed %i adds up, at every moment and in the end", (seed) => {
    const story: Story = { chance: Chance.make(seed), orders: [], log: [] }
    return Effect.catchCause(play(story), (cause) =>
      Effect.die(new Error(`seed ${seed}, after\n${story.log.slice(-15).join("\n")}\n${Cause.pretty(cause)}`))
    ).pipe(
      Effect.tap(() =>
        Effect.sync(() => {
          const { orders } = story
          assert.isAbove(orders.filter(({ capturedMinor }) => capturedMinor > 0).length, 3, "enough was captured")
          assert.isAbove(orders.filter(({ returnedMinor }) => returnedMinor > 0).length, 0, "something was returned")
        })
      ),
      Effect.provide(World.layer(), { local: true })
    )
  })
})
