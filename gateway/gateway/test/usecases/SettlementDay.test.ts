/** The ledger of one day, account by account and page by page. */
import { assert, describe, it } from "@effect/vitest"
import { Effect, Result } from "effect"
import { TestClock } from "effect/testing"
import * as Decision from "../../src/kernel/Decision.ts"
import { LedgerEntry } from "../../src/kernel/LedgerTable.ts"
import { Store } from "../../src/kernel/Store.ts"
import * as SettlementDay from "../../src/reconciliation/SettlementDay.ts"
import { DayBalance } from "../../src/reconciliation/SettlementDay.ts"
import * as ScriptedServices from "./ScriptedServices.ts"

const { dayMs } = SettlementDay
const startMs = 20 * dayMs

let count = 0
const booked = (account: string, minor: number, atMs: number): ReadonlyArray<Decision.Write> => {
  count += 1
  const entryId = `e${String(count).padStart(6, "0")}`
  return [
    Decision.append(LedgerEntry, { entryId, orderId: "1", requestId: "2", cause: "seeded", account, minor, atMs }),
    Decision.post(account, minor)
  ]
}
const before = startMs - dayMs

/** `a` has entries, `b` never had any, `c` only a balance, `d` earlier entries that sum to zero, `e` entries that sum to zero. */
const books = [
  ...booked("shop/7/USD/a", 5, before),
  ...booked("shop/7/USD/a", 10, startMs),
  ...booked("shop/7/USD/a", -3, startMs + dayMs - 1),
  ...booked("shop/7/USD/a", 100, startMs + dayMs),
  Decision.post("shop/7/USD/b", 0),
  ...booked("shop/7/USD/c", 4, startMs - 1),
  ...booked("shop/7/USD/d", 8, before),
  ...booked("shop/7/USD/d", -8, before),
  ...booked("shop/7/USD/e", 6, startMs),
  ...booked("shop/7/USD/e", -6, startMs + 1),
  ...booked("shopping/7/USD/a", 9, startMs)
]
const ofShop = [
  "opening a 5",
  "entry a 15",
  "entry a 12",
  "closing a 12",
  "opening c 4",
  "closing c 4",
  "opening e 0",
  "entry e 6",
  "entry e 0",
  "closing e 0"
]
const ofOthers = ["opening a 0", "entry a 9", "closing a 9"]

/** Returns the pages of the day, each as the text of its lines. */
const pages = (merchant: string | undefined, limit: number, rows: ReadonlyArray<Decision.Write> = books) => {
  const recording = ScriptedServices.newRecording()
  return Effect.gen(function* () {
    yield* ScriptedServices.seed(rows, recording)
    const day = yield* SettlementDay.make
    const matches: Array<ReadonlyArray<string>> = []
    for (let place: SettlementDay.ExportCursor | undefined, looked = 0; looked < 50; looked += 1) {
      const { lines, next } = yield* day({ startMs, merchant }, place, limit)
      matches.push(lines.map(({ account, kind, minor }) => `${kind} ${account.at(-1)} ${minor}`))
      if (next === undefined) break
      place = next
    }
    const store = yield* Store
    const opening = yield* store.load(DayBalance, ["shop/7/USD/a", startMs])
    return { matches, opening: opening?.openingMinor }
  }).pipe(Effect.provide(ScriptedServices.layer({}, recording)))
}

describe("the ledger export of a day", () => {
  it.effect.each([1, 2, 3, 4, 5, 6, 7, 20].map((limit) => [limit] as const))(
    "has the same lines in pages of %s",
    ([limit]) =>
      Effect.gen(function* () {
        const { matches } = yield* pages("shop", limit)
        assert.deepStrictEqual(matches.flat(), ofShop)
      })
  )

  it.effect("includes all merchants if none is named", () =>
    Effect.gen(function* () {
      assert.deepStrictEqual((yield* pages(undefined, 20)).matches.flat(), [...ofShop, ...ofOthers])
    })
  )

  it.effect.each([
    [1, [2, 1, 1, 0, 2, 0, 2, 1, 1, 0]],
    [2, [3, 1, 2, 3, 1]],
    [3, [4, 2, 4, 0]],
    [4, [4, 5, 1]],
    [20, [10]]
  ] as const)("has about as many lines a page as requested, and no more accounts: %s", ([limit, sizes]) =>
    Effect.gen(function* () {
      const { matches } = yield* pages("shop", limit)
      assert.deepStrictEqual(
        matches.map(({ length }) => length),
        [...sizes]
      )
    })
  )

  const storedBalance = (dayStartMs: number, openingMinor: number) =>
    Decision.put(DayBalance, { account: "shop/7/USD/a", dayStartMs, openingMinor: BigInt(openingMinor) })
  const many = Array.from({ length: 1_001 }, (_, n) => booked("shop/7/USD/a", 1, 10 * dayMs + n)).flat()
  it.effect.each([
    ["is the sum of all earlier entries, and is stored", [...booked("shop/7/USD/a", 7, dayMs), ...books], 12],
    ["is the sum of more entries than one page", many, 1_001],
    ["is the stored balance of the day", [...books, storedBalance(startMs, 77)], 77],
    [
      "is the sum of the last stored balance and the entries since",
      [...booked("shop/7/USD/a", 7, dayMs), ...books, storedBalance(before, 50)],
      55
    ],
    ["does not use stored balances of later days", [...books, storedBalance(startMs + dayMs, 50)], 5]
  ] as const)("has an opening balance that %s", ([, rows, expected]) =>
    Effect.gen(function* () {
      const { matches, opening } = yield* pages("shop", 20, rows)
      assert.strictEqual(matches[0]?.[0], `opening a ${expected}`)
      assert.strictEqual(opening, BigInt(expected))
    })
  )
})

describe("the day of a ledger export", () => {
  const noDay = "day has the form 2026-11-21"
  it.effect.each([
    ["2026-11-21", Date.UTC(2026, 10, 21)],
    ["2026-02-30", noDay],
    ["2026-13-01", noDay],
    ["2026-11-21T00:00", noDay],
    ["+002026-11-21", noDay],
    ["2026-11-2", noDay],
    ["", noDay],
    ["26-11-21", noDay]
  ] as const)("begins at midnight UTC: %s", ([day, expected]) =>
    Effect.gen(function* () {
      yield* TestClock.setTime(Date.UTC(2027, 0, 1))
      assert.strictEqual(Result.merge(yield* Effect.result(SettlementDay.startOfEnded(day))), expected)
    })
  )

  it.effect.each([
    ["a minute after its end", startMs + dayMs + 60_000, startMs],
    ["not earlier", startMs + dayMs + 59_999, "the day (UTC) is not over yet: ask a minute after its end"]
  ] as const)("is available %s", ([, nowMs, expected]) =>
    Effect.gen(function* () {
      yield* TestClock.setTime(nowMs)
      assert.strictEqual(Result.merge(yield* Effect.result(SettlementDay.startOfEnded("1970-01-21"))), expected)
    })
  )
})
