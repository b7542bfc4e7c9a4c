/** A report about the days of recurring payments (docs/decisions/public-reports-inputs.md): each hour of a day, in four time zones. */
import { assert, describe, it } from "@effect/vitest"
import * as Directory from "@pay/gateway/Directory"
import { Subscription } from "@pay/gateway/Entities"
import { Store } from "@pay/gateway/Store"
import * as PayApi from "@pay/schema/PayApi"
import * as Sample from "@pay/schema/Sample"
import * as Sandbox from "@pay/server/Sandbox"
import { Clock, Effect, Schema } from "effect"
import * as ClientMerchant from "../harness/ClientMerchant.ts"
import * as Recurring from "../harness/Recurring.ts"
import * as World from "../harness/World.ts"

const dayMs = 86_400_000
const zones = ["Pacific/Kiritimati", "Pacific/Pago_Pago", "Asia/Kathmandu", "America/New_York"] as const

const merchants = Schema.decodeUnknownSync(Directory.Config)([
  {
    login: Sandbox.merchant.login,
    controlKeys: [Sandbox.merchant.controlKey],
    publicKeys: [Sandbox.merchant.publicKeyPem],
    endpoints: zones.map((timeZone, at) => ({ id: String(at + 1), currencies: ["USD"], threeds: "off", timeZone }))
  }
])

/** The day in the zone, by the calendar of the language. */
const dayIn = (timeZone: string, atMs: number): string => new Intl.DateTimeFormat("en-CA", { timeZone }).format(atMs)

const shifted = (day: string, days: number): string =>
  new Date(Date.parse(day) + days * dayMs).toISOString().slice(0, 10)

let count = 0

/** Creates a recurring payment that starts on this day. Returns its state and occurrences, or the refusal. */
const create = Effect.fnUntraced(function* (zone: (typeof zones)[number], day: string) {
  count += 1
  const fields = {
    ...Sample.request(PayApi.operations.CREATE_RP_V4),
    client_orderid: `club-${count}`,
    cvv2: "123",
    expire_year: "2099",
    period: "yearly",
    "start-date": day
  }
  const endpointId = String(zones.indexOf(zone) + 1)
  const order = yield* ClientMerchant.send("CREATE_RP_V4", fields, { endpointId })
  yield* World.settled
  const store = yield* Store
  const row = yield* store.load(Subscription, [order.orderid], "order")
  assert(row !== undefined)
  return row.subscriptionId
})

/** Days that begin at these times in UTC, with the zones whose hours are tried; on two of them New York changes its clocks. */
const days = [
  ["a day at the end of a year", "2026-12-30T23:30:00Z", zones],
  ["the day on which summer time begins", "2027-03-14T04:30:00Z", ["America/New_York"]],
  ["the day on which summer time ends", "2027-11-07T03:30:00Z", ["America/New_York"]]
] as const

describe("a recurring payment that starts yesterday, today or tomorrow in the zone of its endpoint", () => {
  it.live.each(days)("is refused, charged at once, or charged on its day, at each hour of $0", ([_, from, tried]) =>
    Effect.gen(function* () {
      const later: Array<readonly [zone: string, day: string, id: string]> = []
      for (let hour = 0; hour < 26; hour += 1) {
        const nowMs = yield* Clock.currentTimeMillis
        for (const zone of tried) {
          const today = dayIn(zone, nowMs)
          const when = `${zone} ${new Date(nowMs).toISOString()}`
          const refusal = yield* Effect.flip(create(zone, shifted(today, -1)))
          assert(refusal._tag === "Refused", when)
          assert.deepInclude(refusal.errors[0], { field: "start-date" }, when)
          assert.include(refusal.errorMessage, `today is ${today} in ${zone}`)
          assert.strictEqual(yield* Recurring.summary(yield* create(zone, today)), "active: charged", when)
          const tomorrow = shifted(today, 1)
          later.push([zone, tomorrow, yield* create(zone, tomorrow)])
        }
        for (const [zone, day, id] of later) {
          const expected = dayIn(zone, nowMs) < day ? "active: " : "active: charged"
          assert.strictEqual(yield* Recurring.summary(id), expected, `${zone} ${day} ${new Date(nowMs).toISOString()}`)
        }
        yield* World.pass("1 hour")
      }
    }).pipe(
      Effect.provide(
        World.layer({
          merchants,
          wall: { nowMs: Date.parse(from) },
          settings: { clockSkewMs: 100 * 365 * dayMs }
        }),
        { local: true }
      )
    )
  )
})
