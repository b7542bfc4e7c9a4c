/**
 * An occurrence whose turn comes late, in an outage or behind a charge whose outcome is unknown, is judged by its own day:
 * nothing is charged after the schedule's last day, nor what was due in a pause or with a card that could not be charged.
 */
import { assert, describe, it } from "@effect/vitest"
import { approve, decline, type Scenario } from "@pay/sandbox/Outcome"
import { SandboxControl } from "@pay/sandbox/SandboxControl"
import { declines } from "@pay/schema/Decline"
import * as ErrorCode from "@pay/schema/ErrorCode"
import { Effect } from "effect"
import * as ClientMerchant from "../harness/ClientMerchant.ts"
import * as World from "../harness/World.ts"
import * as Subscriptions from "./Subscriptions.ts"

const dayMs = 86_400_000
/** The merchant signs in a time that stands still. */
const settings = { clockSkewMs: 100 * 365 * dayMs }

const poor: Scenario = { verdict: decline(declines.notSufficientFunds) }
const { charges, create, otherCard, reasons, scenario, callbacks, update } = Subscriptions

/** Days in which the gateway does not run: whatever was due in them is looked at only after what comes next. */
type Outage = (days: number) => Effect.Effect<void>

const plan = (what: Scenario) => Effect.flatMap(SandboxControl, ({ next }) => next("authorize", what))
/** The bank finds out that it approved occurrence `n`. */
const find = (id: string, n: number) =>
  Effect.gen(function* () {
    const { settle } = yield* SandboxControl
    const { orderid } = yield* Subscriptions.orderOf(id, n)
    yield* settle(`${orderid}-sale-0`, approve)
    yield* World.pass("1 day")
  })

interface Case {
  readonly says: string
  readonly fields?: Readonly<Record<string, string>>
  readonly play: (id: string, outage: Outage) => Effect.Effect<unknown, unknown, World.Services>
  readonly observed: string
  readonly reasons: ReadonlyArray<string>
}

const weekly = { period: "weekly" }
/** The reasons why an occurrence was not charged, as they are stored and reported. */
const missed = "Missed while the gateway was not running"
const paused = "The recurring payment is paused"
const suspended = "The recurring payment is suspended"
const over = "It could not be charged before the schedule was over"
const beforePause = "It had not been charged when the recurring payment was paused"

/** From 2026-11-02 on. */
const cases: ReadonlyArray<Case> = [
  {
    says: "due before the finish-date is not charged after it",
    fields: { "finish-date": "2026-12-05" },
    play: (_, outage) => outage(40),
    observed: "finished: charged skipped",
    reasons: [over]
  },
  {
    says: "due during a pause is not charged after the pause",
    fields: weekly,
    play: (id, outage) =>
      World.pass("3 days").pipe(
        Effect.andThen(update(id, { change: "pause" })),
        Effect.andThen(outage(10)),
        Effect.andThen(update(id, { change: "resume" }))
      ),
    observed: "active: charged skipped",
    reasons: [paused]
  },
  {
    says: "due before a pause is skipped with its own reason, not the pause",
    fields: weekly,
    play: (id, outage) =>
      outage(8).pipe(Effect.andThen(update(id, { change: "pause" })), Effect.andThen(World.pass("7 days"))),
    observed: "paused: charged skipped skipped",
    reasons: [beforePause, paused]
  },
  {
    says: "due during a pause is skipped after the pause, also if an earlier outcome was unknown",
    fields: weekly,
    play: (id) =>
      plan({ delivery: { _tag: "Undecided" } }).pipe(
        Effect.andThen(World.pass("10 days")),
        Effect.andThen(update(id, { change: "pause" })),
        Effect.andThen(World.pass("12 days")),
        Effect.andThen(update(id, { change: "resume" })),
        Effect.andThen(find(id, 1))
      ),
    observed: "active: charged charged skipped skipped",
    reasons: [paused, paused]
  },
  {
    says: "due during a suspension is not charged with the new card",
    fields: weekly,
    play: (id, outage) =>
      plan({ verdict: decline(declines.stolenCard) }).pipe(
        Effect.andThen(World.pass("8 days")),
        Effect.andThen(outage(10)),
        Effect.andThen(update(id, otherCard)),
        Effect.andThen(World.pass("7 days"))
      ),
    observed: "active: charged failed skipped charged",
    reasons: [suspended]
  },
  {
    says: "due with an expired card is not charged with the new one",
    fields: { ...weekly, expire_month: "11", expire_year: "2026" },
    play: (id, outage) => World.pass("22 days").pipe(Effect.andThen(outage(15)), Effect.andThen(update(id, otherCard))),
    observed: "active: charged charged charged charged skipped skipped",
    reasons: [missed, declines.expiredCard.message]
  },
  {
    says: "due during an outage is skipped for that reason, except for the latest",
    fields: weekly,
    play: (_, outage) => outage(24),
    observed: "active: charged skipped skipped charged",
    reasons: [missed, missed]
  },
  {
    says: "due before a new card is not charged, and the next one is",
    play: (id, outage) =>
      plan(poor).pipe(
        Effect.andThen(World.pass("30 days")),
        Effect.andThen(outage(31)),
        Effect.andThen(update(id, otherCard)),
        Effect.andThen(World.settled),
        Effect.andThen(World.pass("31 days"))
      ),
    observed: "active: charged failed skipped charged",
    reasons: [suspended]
  }
]

describe("an occurrence that is handled late", () => {
  it.live.each(cases)("$says", ({ fields, play, reasons: expected, observed }) => {
    const wall = { nowMs: World.startMs }
    const outage: Outage = (days) =>
      Effect.sync(() => {
        wall.nowMs += days * dayMs
      })
    return Effect.gen(function* () {
      const id = yield* create(fields)
      yield* World.settled
      yield* play(id, outage)
      yield* World.settled
      assert.strictEqual(yield* scenario(id), observed)
      assert.deepStrictEqual(yield* reasons(id), [...expected])
      const skips = (yield* callbacks).filter((each) => each.startsWith("skipped"))
      assert.includeMembers(
        [...expected],
        skips.map((each) => each.slice("skipped YYYY-MM-DD: ".length)),
        "told as it is kept"
      )
      assert.strictEqual(yield* charges, observed.split(/ charged/).length - 1)
      yield* ClientMerchant.allIsWell
    }).pipe(Effect.provide(World.layer({ wall, settings }), { local: true }))
  })

  it.live("is not charged by process after the finish-date", () => {
    const wall = { nowMs: World.startMs }
    return Effect.gen(function* () {
      const id = yield* create({ "finish-date": "2026-12-05" })
      yield* World.settled
      yield* plan({ delivery: { _tag: "Undecided" } })
      yield* World.pass("33 days")
      assert.strictEqual(yield* Subscriptions.process(id, "in-time"), "accepted")
      yield* World.pass("1 day")
      const refused = `refused ${ErrorCode.codes.orderState.code}`
      assert.strictEqual(yield* Subscriptions.process(id, "too-late"), refused)
    }).pipe(Effect.provide(World.layer({ wall, settings }), { local: true }))
  })

  it.live("is one of many that are skipped in commits of a bounded size before a change", () => {
    const wall = { nowMs: World.startMs }
    const sizes: Array<number> = []
    const spoilStore: NonNullable<World.Options["spoilStore"]> = (store) => ({
      ...store,
      commit: (decision) => {
        sizes.push(decision.writes.length)
        return store.commit(decision)
      }
    })
    return Effect.gen(function* () {
      const id = yield* create({ period: "daily" })
      yield* World.settled
      yield* update(id, { change: "pause" })
      wall.nowMs += 400 * dayMs
      yield* update(id, { change: "resume" })
      yield* World.settled
      assert.strictEqual(yield* scenario(id), `active: charged ${"skipped ".repeat(400).trim()}`)
      assert.deepStrictEqual(new Set(yield* reasons(id)), new Set([paused]))
      assert.isAtMost(Math.max(...sizes), 200)
      assert.strictEqual(yield* charges, 1)
    }).pipe(Effect.provide(World.layer({ wall, settings, spoilStore }), { local: true }))
  })
})
