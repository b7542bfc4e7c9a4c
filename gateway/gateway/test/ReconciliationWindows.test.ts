/** Consecutive periods of reconciliation together look at everything, and at nothing twice. */
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import * as Decision from "../src/kernel/Decision.ts"
import * as LedgerTable from "../src/kernel/LedgerTable.ts"
import { Order } from "../src/orders/record/Order.ts"
import { OrderRequest } from "../src/orders/record/OrderRequest.ts"
import { sale } from "./domain/Sample.ts"
import { creation, hourMs, nowMs, run, saleBooking } from "./ReconciliationSeeds.ts"

const dayMs = 24 * hourMs
/** Four days, of which the last ends well before the run, at edges that are no full hours. */
const edges = [0, 1, 2, 3, 4].map((day) => day * (dayMs / 4) + 21.75 * hourMs)
const windows = edges.slice(1).map((toMs, at) => ({ fromMs: edges[at] ?? 0, toMs }))

/** Times around each edge, and some between them. */
const times = edges.flatMap((edge) =>
  [-hourMs, -1, 0, 1, hourMs - 1, hourMs, 2 * hourMs + 7].map((apart) => edge + apart)
)
const inside = times.filter((ms) => ms >= (edges[0] ?? 0) && ms < (edges.at(-1) ?? 0))

const countIn = (seeds: Parameters<typeof run>[0]) =>
  Effect.map(
    Effect.forEach(windows, (period) => run({ ...seeds, period })),
    (runs) => runs.map(({ findings }) => findings.length)
  )

describe("consecutive periods", () => {
  it.effect.each(inside.map((ms) => [ms] as const))("find a booking without an order at %s once", ([atMs]) =>
    Effect.gen(function* () {
      const counts = yield* countIn({ rows: [], bank: [{ ...saleBooking, atMs }] })
      assert.deepStrictEqual(
        counts,
        windows.map(({ fromMs, toMs }) => (fromMs <= atMs && atMs < toMs ? 1 : 0))
      )
    })
  )

  it.effect.each(inside.map((ms) => [ms] as const))(
    "find an approval of %s that the bank never booked once",
    ([atMs]) =>
      Effect.gen(function* () {
        const order = sale({ createdAtMs: 1 })
        const request = { ...creation, acceptedAtMs: atMs - 20_000, finishedAtMs: atMs }
        const counts = yield* countIn({
          rows: [
            Decision.append(Order, order),
            Decision.append(OrderRequest, request),
            ...LedgerTable.book(order, "1", "2", "sale", 10_000, atMs)
          ],
          bank: []
        })
        assert.deepStrictEqual(
          counts,
          windows.map(({ fromMs, toMs }) => (fromMs <= atMs && atMs < toMs ? 1 : 0))
        )
      })
  )

  it.effect.each([-1, 0, 1, 19_999].map((ms) => [ms] as const))(
    "find nothing of a sale whose booking and approval are on both sides of an edge, %s ms apart from it",
    ([apart]) =>
      Effect.gen(function* () {
        const approvedAtMs = (edges[2] ?? 0) + apart
        const order = sale({ createdAtMs: approvedAtMs - 20_000 })
        const request = { ...creation, acceptedAtMs: approvedAtMs - 20_000, finishedAtMs: approvedAtMs }
        const counts = yield* countIn({
          rows: [
            Decision.append(Order, order),
            Decision.append(OrderRequest, request),
            ...LedgerTable.book(order, "1", "2", "sale", 10_000, approvedAtMs)
          ],
          bank: [{ ...saleBooking, atMs: approvedAtMs - 10_000 }]
        })
        assert.deepStrictEqual(counts, [0, 0, 0, 0])
      })
  )
})

describe("the report names what was not compared:", () => {
  const open = [Decision.append(Order, sale({ state: "authorizing", authorizedMinor: 0, capturedMinor: 0 }))]
  const inFlight = [...open, Decision.append(OrderRequest, { ...creation, progress: "processing", finishedAtMs: null })]
  const young = { ...saleBooking, atMs: nowMs - 1 }
  const approved = { ...creation, acceptedAtMs: nowMs - 1, finishedAtMs: nowMs - 1 }
  const order = sale({ createdAtMs: nowMs - 1 })
  const recent = [
    Decision.append(Order, order),
    Decision.append(OrderRequest, approved),
    ...LedgerTable.book(order, "1", "2", "sale", 10_000, nowMs - 1)
  ]
  const ledger = "the balances of the ledger"
  const rail = "the books of the rail"
  const period = { fromMs: nowMs - dayMs, toMs: nowMs }
  it.effect.each([
    ["the books that cannot be read", { rows: [] }, ["the books of the bank", rail]],
    ["nothing else", { rows: [], bank: [], rail: [] }, []],
    ["the balances in a run of a period", { rows: [], bank: [], rail: [], period }, [ledger]],
    [
      "the rest of a period that is not over",
      { rows: [], bank: [], rail: [], period: { ...period, toMs: nowMs + 1 } },
      ["the time since 1970-01-05T04:00:00.000Z", ledger]
    ],
    [
      "bookings of requests in flight, and orders without an outcome",
      { rows: inFlight, bank: [young], rail: [] },
      ["1 bookings of requests in flight", "1 orders without an outcome"]
    ],
    [
      "approvals that need not be listed yet",
      { rows: recent, bank: [], rail: [] },
      ["1 approvals since 1970-01-05T03:00:00.000Z"]
    ]
  ] as const)("%s", ([, seeds, expected]) =>
    Effect.gen(function* () {
      const { findings, omissions } = yield* run(seeds)
      assert.deepStrictEqual([findings, omissions], [[], [...expected]])
    })
  )
})
