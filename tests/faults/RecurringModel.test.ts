/**
 * Random recurring payments, by seed: schedules, time zones with unusual clock changes, outages, pauses, changes of card,
 * declines and unknown outcomes. After each step each charge in the bank's books and each occurrence at the gateway are compared
 * with a model that shares no code with the gateway.
 */
import { assert, describe, it } from "@effect/vitest"
import * as Chance from "@pay/crashtest/Chance"
import * as Directory from "@pay/gateway/Directory"
import { Occurrence, Subscription } from "@pay/gateway/Entities"
import { Store } from "@pay/gateway/Store"
import { approve, decline, type Scenario } from "@pay/sandbox/Outcome"
import { SandboxControl } from "@pay/sandbox/SandboxControl"
import * as SandboxMerchant from "@pay/sandbox/SandboxMerchant"
import { declines } from "@pay/schema/Decline"
import { Array as Arr, Clock, Effect, Schema } from "effect"
import * as ClientMerchant from "../harness/ClientMerchant.ts"
import * as World from "../harness/World.ts"
import { type Card, type KnownVerdict, Model, type Terms, today, type Verdict } from "./RecurringModel.ts"
import * as Subscriptions from "./Subscriptions.ts"

const hourMs = 3_600_000
const dayMs = 24 * hourMs
/** The first ones, and each that a change of the rules fails and those do not. */
const seeds = [...Array.from({ length: 40 }, (_, index) => index + 1), 487, 549, 1027, 1031, 1036, 1078, 1211, 1277]
const steps = 14
/** The merchant signs in a time that stands still. */
const settings = { clockSkewMs: 100 * 365 * dayMs }

const zones = [
  "UTC",
  "Australia/Lord_Howe",
  "Pacific/Chatham",
  "Africa/Cairo",
  "America/Havana",
  "America/New_York",
  "Asia/Beirut",
  "Asia/Kathmandu",
  "Pacific/Kiritimati"
] as const

const merchantsIn = (zone: string): Directory.Config =>
  Schema.decodeSync(Directory.Config)(
    SandboxMerchant.directory.map((merchant) => ({
      ...merchant,
      endpoints: Arr.map(merchant.endpoints, (endpoint) => ({ ...endpoint, timeZone: zone }))
    }))
  )

const plans: Readonly<Record<Verdict, Scenario>> = {
  approve: {},
  soft: { verdict: decline(declines.notSufficientFunds) },
  hard: { verdict: decline(declines.stolenCard) },
  unknown: { delivery: { _tag: "Undecided" } }
}
const verdicts = { approve, soft: decline(declines.notSufficientFunds), hard: decline(declines.stolenCard) }

const addDays = (day: string, days: number): string =>
  new Date(Date.parse(`${day}T00:00:00Z`) + days * dayMs).toISOString().slice(0, 10)

/** A card and its fields; it ends with a month that begins within so many months. */
const cardFrom = (chance: Chance.Chance, nowMs: number, leastMonths: number) => {
  const months = chance.percent(40) ? leastMonths + chance.below(4) : 600
  const date = new Date(nowMs)
  const end = new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + months, 1))
  const number = chance.oneOf(["4444333322221111", "4444555566661111", "4444555566662226", "4444555566663331"])
  const fields = {
    credit_card_number: number,
    expire_month: String(end.getUTCMonth() + 1),
    expire_year: String(end.getUTCFullYear())
  }
  const expiresMs = Date.UTC(end.getUTCFullYear(), end.getUTCMonth() + 1, 1, 14)
  return { fields, card: { lastFour: number.slice(-4), expiresMs } satisfies Card }
}

const scheduleOf = (seed: number) => {
  const chance = Chance.make(seed)
  const startMs = Date.UTC(2026, 0, 1) + chance.below(3 * 365 * 24) * hourMs + chance.below(hourMs)
  const zone = chance.oneOf(zones)
  const first = chance.percent(50) ? today(startMs, zone) : addDays(today(startMs, zone), 1 + chance.below(40))
  const period = chance.oneOf<Terms["period"]>(["daily", "weekly", "monthly", "monthly", "yearly"])
  const interval = 1 + chance.below(period === "daily" ? 9 : 2)
  const terms: Terms = {
    period,
    interval,
    first,
    finish: chance.percent(40) ? addDays(first, chance.below(300)) : undefined,
    occurrences: chance.percent(30) ? 1 + chance.below(9) : undefined,
    zone
  }
  const planned = Array.from({ length: 40 }, () =>
    chance.oneOf<Verdict>(["approve", "approve", "approve", "approve", "soft", "soft", "unknown", "hard"])
  )
  return { chance, startMs, terms, planned, ...cardFrom(chance, startMs, 2) }
}

const seenAtBank = (id: string) =>
  Effect.gen(function* () {
    const store = yield* Store
    const { books } = yield* SandboxControl
    const occurrences = yield* store.find(Occurrence, "key", { equals: [id], limit: 1000 })
    const numbers = new Map(occurrences.map(({ n, orderId }) => [orderId, n]))
    return (yield* books.all)
      .filter(({ request }) => request.capture === true)
      .map(({ bookedAtMs, request: { amountMinor, card, orderId, reference } }) => {
        assert.strictEqual(amountMinor, 1042)
        return `${numbers.get(orderId)} ${reference.split("-").at(-1)} ${card?.lastFour} ${new Date(bookedAtMs).toISOString()}`
      })
  })

const seenHere = (id: string) =>
  Effect.gen(function* () {
    const store = yield* Store
    const row = yield* store.load(Subscription, [id])
    const occurrences = yield* store.find(Occurrence, "key", { equals: [id], limit: 1000 })
    const records = occurrences
      .filter(({ progress }) => progress !== "charging" && progress !== "retrying")
      .map(({ attempts, day, progress, reason }) =>
        progress === "skipped" ? `${day} skipped: ${reason}` : `${day} ${progress} ${attempts}`
      )
    return { state: row?.state, records }
  })

const byNumber = ({ records }: Model): ReadonlyArray<string> =>
  [...records].sort(([one], [other]) => one - other).map(([, record]) => record)

const now = Clock.currentTimeMillis

/** The bank decides an unknown charge, and the gateway learns it at its next inquiry. */
const decided = Effect.fnUntraced(function* (
  id: string,
  { n, tries }: NonNullable<Model["pending"]>,
  verdict: KnownVerdict
) {
  const { settle } = yield* SandboxControl
  const store = yield* Store
  const { orderid } = yield* Subscriptions.orderOf(id, n)
  yield* settle(`${orderid}-sale-${tries - 1}`, verdicts[verdict])
  for (let moments = 0; moments < 100; moments += 1) {
    const occurrence = yield* store.load(Occurrence, [id, n])
    if (occurrence?.progress !== "charging") return
    yield* World.nextMoment
  }
  assert.fail("the gateway does not ask")
})

const live = Effect.fnUntraced(function* (scenario: ReturnType<typeof scheduleOf>, wall: World.Wall) {
  const { card, chance, fields, planned, startMs, terms } = scenario
  const { next } = yield* SandboxControl
  const { finish, first, interval, occurrences, period, zone } = terms
  const id = yield* Subscriptions.create({
    ...fields,
    period,
    interval: String(interval),
    "start-date": first,
    ...(finish === undefined ? {} : { "finish-date": finish }),
    ...(occurrences === undefined ? {} : { occurrences: String(occurrences) })
  })
  yield* World.settled
  yield* Effect.forEach(planned, (verdict) => next("authorize", plans[verdict]), { discard: true })
  const model = new Model(terms, card, planned, startMs)
  if (first === today(startMs, zone)) model.began()
  const history = [JSON.stringify(terms)]

  const compare = Effect.gen(function* () {
    yield* World.settled
    model.run(yield* now)
    const context = history.join("\n")
    assert.deepStrictEqual(yield* seenAtBank(id), model.charges, context)
    assert.deepStrictEqual(yield* seenHere(id), { state: model.state, records: [...byNumber(model)] }, context)
  })

  const change = Effect.gen(function* () {
    if (model.state === "finished" || chance.percent(40)) return
    if (model.state !== "suspended" && chance.percent(60)) {
      const change = model.state === "active" ? "pause" : "resume"
      history.push(change)
      yield* Subscriptions.update(id, { change })
      return change === "pause" ? model.pause() : model.resume()
    }
    const other = cardFrom(chance, yield* now, 1)
    history.push(`card ${JSON.stringify(other.fields)}`)
    yield* Subscriptions.update(id, other.fields)
    model.change(other.card)
  })

  yield* compare
  for (let step = 0; step < steps; step += 1) {
    if (model.pending?.isUnknown === true && chance.percent(50)) {
      const verdict = chance.oneOf<KnownVerdict>(["approve", "approve", "soft", "hard"])
      history.push(`the bank decides: ${verdict}`)
      yield* decided(id, model.pending, verdict)
      model.learn(yield* now, verdict)
      yield* compare
    }
    const longest = terms.period === "daily" ? 15 : 60
    const ms = chance.below((chance.percent(50) ? 4 : longest) * 24) * hourMs + chance.below(hourMs)
    const isOutage = chance.percent(40)
    history.push(`${isOutage ? "outage" : "running"} until ${new Date((yield* now) + ms).toISOString()}`)
    if (isOutage) {
      wall.nowMs += ms
      model.nowMs += ms
    } else {
      yield* World.pass(ms)
      model.run(yield* now)
    }
    yield* change
    yield* compare
  }
})

describe("recurring payments behave like a model of the calendar", () => {
  it.live.each(seeds)("seed %d", (seed) => {
    const scenario = scheduleOf(seed)
    const wall = { nowMs: scenario.startMs }
    return live(scenario, wall).pipe(
      Effect.andThen(ClientMerchant.allIsWell),
      Effect.provide(World.layer({ wall, settings, merchants: merchantsIn(scenario.terms.zone) }), { local: true })
    )
  })
})
