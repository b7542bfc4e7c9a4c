/**
 * Three gateways behind a balancer on one PostgreSQL with a synchronous standby, merchants that send every operation of the contract, and
 * one failure after another, for so long. Then everything is healed, and what holds of a gateway has to hold.
 */

import * as Chance from "@pay/crashtest/Chance"
import { ThreeDSControl } from "@pay/sandbox/ThreeDSControl"
import { Context, Effect, Fiber } from "effect"
import * as Deployment from "../Deployment.ts"
import * as Invariants from "../Invariants.ts"
import * as Merchant from "../Merchant.ts"
import * as Requests from "../Requests.ts"
import * as Subscriptions from "../Subscriptions.ts"
import * as Counts from "./Counts.ts"
import * as Failures from "./Failures.ts"
import * as Merchants from "./Merchants.ts"
import * as Servers from "./Servers.ts"
import * as Tally from "./Tally.ts"

export interface Options {
  readonly seed: number
  readonly ms: number
  /** Is told how far it is, every few seconds. */
  readonly onProgress: (line: string) => void
}

/** A failure that was injected, and when. */
export interface Injected {
  readonly name: string
  readonly fromMs: number
  readonly untilMs: number
}

export interface Result {
  readonly seed: number
  readonly ms: number
  readonly tally: Tally.Tally
  readonly injected: ReadonlyArray<Injected>
  readonly counts: Counts.Counts
  readonly balancer: ReadonlyMap<number | "cut", number>
  readonly ledger: Merchant.Ledger
  /** Requests that the callback server got, and how many of them it refused or did not answer. */
  readonly callbacks: { readonly received: number; readonly refused: number }
  readonly merchants: Merchants.Merchants
  readonly recurring: { readonly payments: number; readonly days: number }
  /** How long it took until all was final once everything was healed, in milliseconds. */
  readonly settledMs: number
  readonly problems: ReadonlyArray<string>
}

const customers = 8
/** Longer than a card delays a request on its way to the bank. */
const longestProcessingMs = 30_000
const recurringPayments = 100
const progressEvery = "10 seconds"
const flakyPercent = 10

/** Lets business time pass until the work has ended, so that jobs of a gateway that is gone are taken over. */
const throughLeases = <A, E>(deployment: Deployment.Deployment, work: Effect.Effect<A, E>) =>
  Effect.raceFirst(work, Effect.forever(Effect.delay(deployment.advance(Deployment.leaseMs), "3 seconds")))

export const run = Effect.fnUntraced(function* ({ ms, onProgress, seed }: Options) {
  const servers = yield* Servers.make(3)
  const deployment = yield* Deployment.make({
    database: servers.database,
    each: servers.urls.map((through) => ({ through })),
    env: { PAY_LISTEN_DRAIN_MS: "1000" },
    bank: { longestProcessingMs }
  })
  yield* Counts.begin(servers.database)
  const chance = (part: string | number) => Chance.make(Chance.part(seed, part))
  const shop = { isDown: false, refused: 0 }
  const moods = chance("callbacks")
  const merchant = yield* Merchant.make(deployment.balancer.url, () => {
    if (!shop.isDown && !moods.percent(flakyPercent)) return 200
    shop.refused += 1
    return shop.isDown ? "hangUp" : moods.oneOf([500, 404, "hangUp"])
  })
  const place: Failures.Place = { deployment, servers, shop, chance: chance("failures") }
  const ids = yield* Subscriptions.create(merchant, recurringPayments)
  yield* Invariants.settle(deployment)

  const tally = Tally.make()
  const injected: Array<Injected> = []
  const merchants = Merchants.make()
  const beganMs = performance.now()
  const isOver = () => performance.now() - beganMs >= ms
  const line = () => {
    const [accepted, refused, unknown] = [
      Tally.total(tally, "accepted"),
      Tally.total(tally, "refused"),
      Tally.total(tally, "unknown")
    ]
    const seconds = Math.round((performance.now() - beganMs) / 1000)
    const last = injected.at(-1)?.name ?? "none"
    return `${seconds} s: ${accepted} accepted, ${refused} refused, ${unknown} unknown; ${injected.length} failures, last: ${last}`
  }
  yield* Effect.forkScoped(
    Effect.forever(
      Effect.delay(
        Effect.sync(() => onProgress(line())),
        progressEvery
      )
    )
  )

  const customer = Effect.fnUntraced(function* (name: number) {
    let count = 0
    const sender: Requests.Sender = {
      ...{ merchant, tally, cards: [], chance: chance(name) },
      threeds: Context.get(deployment.world, ThreeDSControl),
      fresh: () => `customer-${name}-${count++}`
    }
    while (!isOver()) {
      const { changes, operation } = Requests.draw(sender)
      yield* Requests.take(sender, operation, changes)
    }
  })
  const work = yield* Effect.forkChild(
    Effect.all(
      [
        ...Array.from({ length: customers }, (_, name) => customer(name)),
        Effect.scoped(Merchants.buy(merchants, { baseUrl: deployment.balancer.url, chance: chance("flows"), isOver }))
      ],
      { concurrency: "unbounded", discard: true }
    )
  )
  for (const { name, run } of Failures.drawn(place)) {
    yield* Effect.sleep(500 + place.chance.below(1500))
    if (isOver()) break
    const fromMs = performance.now()
    injected.push({ name, fromMs, untilMs: fromMs })
    yield* run(place)
    yield* Failures.allReady(place)
    injected.splice(-1, 1, { name, fromMs, untilMs: performance.now() })
  }
  const days = injected.filter(({ name }) => name.startsWith("a day")).length + 1
  const endedMs = performance.now()
  onProgress("the failures are over; waiting until everything is final")
  yield* throughLeases(deployment, Fiber.join(work))
  yield* Invariants.settle(deployment)
  yield* Subscriptions.days(deployment, 1)
  const settledMs = performance.now() - endedMs
  onProgress("checking what has to hold")
  const problems = [
    ...tally.contradictions,
    ...(yield* Invariants.problems(deployment, merchant)),
    ...(yield* Subscriptions.problems(deployment, ids, days)),
    ...(yield* Merchants.problems(merchants, deployment))
  ]
  const result: Result = {
    ...{ seed, tally, injected, merchants, settledMs, problems },
    ms: endedMs - beganMs,
    counts: yield* Counts.now(servers.database),
    balancer: deployment.balancer.answers,
    ledger: merchant.ledger,
    callbacks: { received: merchant.shop.requests.length, refused: shop.refused },
    recurring: { payments: ids.length, days }
  }
  return result
})
