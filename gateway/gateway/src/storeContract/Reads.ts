/** Test cases for reads: rows come in the order of an index, and never before the commit that wrote them is done. */
import assert from "node:assert/strict"
import { Effect, Fiber } from "effect"
import { append, put } from "../kernel/Decision.ts"
import { Evidence } from "../kernel/Evidence.ts"
import { Job } from "../kernel/Job.ts"
import { LedgerEntry } from "../kernel/LedgerTable.ts"
import type { Range } from "../kernel/Store.ts"
import { Nonce } from "../merchants/Call.ts"
import { Order } from "../orders/record/Order.ts"
import * as Case from "./Case.ts"
import * as Sample from "./Sample.ts"

/**
 * Entry, account and time. The entries are added in this order, and read in the order of the index (account, time) and then of
 * the key.
 */
const entryRows: ReadonlyArray<readonly [entryId: string, account: string, atMs: number]> = [
  ["e", "bank", 30],
  ["b", "bank", 10],
  ["a", "bank", 20],
  ["d", "bank", 20],
  ["c", "bank", 20],
  ["g", "bank\0", 5],
  ["h", "\u{1F600}", 1],
  ["i", "\uE000", 1],
  ["f", "aunt", 40]
]

const ranges: ReadonlyArray<readonly [range: Omit<Range, "limit"> & { readonly limit?: number }, expected: string]> = [
  [{}, "f b a c d e g i h"],
  [{ descending: true }, "h i g e d c a b f"],
  [{ equals: ["bank"] }, "b a c d e"],
  [{ equals: ["bank"], descending: true }, "e d c a b"],
  [{ equals: ["bank"], limit: 3 }, "b a c"],
  [{ equals: ["bank"], limit: 3, descending: true }, "e d c"],
  [{ equals: ["bank"], limit: 0 }, ""],
  [{ equals: ["bank"], from: 20 }, "a c d e"],
  [{ equals: ["bank"], to: 20 }, "b a c d"],
  [{ equals: ["bank"], from: 20, to: 20 }, "a c d"],
  [{ equals: ["bank"], from: 11, to: 29, descending: true, limit: 2 }, "d c"],
  [{ equals: ["bank"], from: 21, to: 19 }, ""],
  [{ equals: ["bank", 20] }, "a c d"],
  [{ equals: ["nobody"] }, ""],
  [{ from: "bank" }, "b a c d e g i h"],
  [{ to: "bank" }, "f b a c d e"],
  [{ from: "bank\0", to: "\uE000" }, "g i"]
]

const finds = ranges.map(([range, expected]) =>
  Case.make(`the range ${JSON.stringify(range)} finds ${expected || "nothing"}`, (store) =>
    Effect.gen(function* () {
      const entries = entryRows.map(([entryId, account, atMs]) => Sample.blank(LedgerEntry, { entryId, account, atMs }))
      yield* store.commit(Case.write(...entries.map((entry) => append(LedgerEntry, entry))))
      const rows = yield* store.find(LedgerEntry, "account", { limit: 100, ...range })
      assert.strictEqual(rows.map((row) => row.entryId).join(" "), expected)
      const whole = new Map(entries.map((entry) => [entry.entryId, entry]))
      Case.assertRows(
        rows,
        rows.flatMap((row) => whole.get(row.entryId) ?? [])
      )
    })
  )
)

export const cases: ReadonlyArray<Case.Case> = [
  ...finds,

  Case.make("a missing row is not found", (store) =>
    Effect.gen(function* () {
      assert.strictEqual(yield* store.load(Order, ["1"]), undefined)
      assert.strictEqual(yield* store.load(Order, ["merchant", "client 1"], "clientOrder"), undefined)
      assert.deepStrictEqual(yield* store.find(Job, "lease", { limit: 10 }), [])
    })
  ),

  Case.make("rows are found by each part of their key, in order", (store) =>
    Effect.gen(function* () {
      const keys = [
        ["shop", "c"],
        ["shop", "a"],
        ["shop", "b"],
        ["other", "d"]
      ] as const
      yield* store.commit(
        Case.write(...keys.map(([consumerKey, nonce]) => append(Nonce, { consumerKey, nonce, usedAtMs: 0 })))
      )
      const nonces = Effect.fnUntraced(function* (range: Omit<Range, "limit">) {
        return (yield* store.find(Nonce, "key", { limit: 10, ...range })).map((row) => row.nonce).join(" ")
      })
      assert.strictEqual(yield* nonces({}), "d a b c")
      assert.strictEqual(yield* nonces({ equals: ["shop"], from: "b" }), "b c")
      assert.strictEqual(yield* nonces({ equals: ["shop"], descending: true }), "c b a")
      assert.strictEqual(yield* nonces({ equals: ["shop", "b"] }), "b")
    })
  ),

  Case.make("a replaced row moves in its index", (store) =>
    Effect.gen(function* () {
      yield* store.commit(Case.write(put(Job, Sample.job("1", { leaseUntilMs: 1 }))))
      yield* store.commit(Case.write(put(Job, Sample.job("1", { leaseUntilMs: 9 }))))
      assert.deepStrictEqual(yield* store.find(Job, "lease", { to: 5, limit: 10 }), [])
      assert.strictEqual((yield* store.find(Job, "lease", { from: 5, limit: 10 })).length, 1)
    })
  ),

  Case.make("a reader sees all of a concurrent commit or nothing, and all of it once it is done", (store) =>
    Effect.gen(function* () {
      const commits = yield* Effect.forEach(
        Array.from({ length: 20 }, (_, n) => `${n}`),
        (id) =>
          store
            .commit(Case.write(put(Order, Sample.order(id)), append(Evidence, Sample.evidence(id))))
            .pipe(Effect.forkChild({ startImmediately: true }))
      )
      const isVisible = (id: string) =>
        Effect.gen(function* () {
          const evidence = yield* store.load(Evidence, [id])
          const order = yield* store.load(Order, [id])
          assert.ok(order !== undefined || evidence === undefined, `half of commit ${id} was seen`)
          return evidence !== undefined
        })
      for (const [n, fiber] of commits.entries()) {
        yield* isVisible(`${n}`)
        yield* Fiber.join(fiber)
        assert.ok(yield* isVisible(`${n}`), `commit ${n} was done and not seen`)
      }
    })
  ),

  Case.make("an interrupted commit is written completely or not at all", (store) =>
    Effect.gen(function* () {
      const commits = yield* Effect.forEach(
        Array.from({ length: 20 }, (_, n) => `${n}`),
        (id) =>
          store
            .commit(Case.write(put(Order, Sample.order(id)), append(Evidence, Sample.evidence(id))))
            .pipe(Effect.forkChild({ startImmediately: true }))
      )
      yield* Fiber.interruptAll(commits)
      yield* store.commit(Case.write(put(Order, Sample.order("last"))))
      for (const n of commits.keys()) {
        const order = yield* store.load(Order, [`${n}`])
        const evidence = yield* store.load(Evidence, [`${n}`])
        assert.strictEqual(order === undefined, evidence === undefined, `half of commit ${n} was left`)
      }
    })
  )
]
