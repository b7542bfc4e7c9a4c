/** Test cases for writes: a row is read as it was written, and a decision is written completely or not at all. */
import assert from "node:assert/strict"
import { Effect } from "effect"
import * as Entities from "../Entities.ts"
import { absent, append, post, put, remove } from "../kernel/Decision.ts"
import type { Entity, Value } from "../kernel/Entity.ts"
import { Evidence } from "../kernel/Evidence.ts"
import { Balance, LedgerEntry } from "../kernel/LedgerTable.ts"
import type { Store } from "../kernel/Store.ts"
import { Card } from "../orders/record/Card.ts"
import { Order } from "../orders/record/Order.ts"
import * as Case from "./Case.ts"
import * as Sample from "./Sample.ts"

/** Expects that the row is loaded by its key and by each unique key. */
const assertLoads = Effect.fnUntraced(function* (
  store: Store["Service"],
  entity: Entity,
  row: Readonly<Record<string, Value>>
) {
  for (const [unique, columns] of Object.entries({ key: entity.key, ...entity.unique })) {
    const values = Sample.values(row, columns)
    if (!values.includes(null)) Case.assertRow(yield* store.load(entity, values, unique), row)
  }
})

const roundTrips = Entities.all.map((entity) =>
  Case.make(`${entity.name}: a row is read as it was written, by its key and each unique key`, (store) =>
    Effect.gen(function* () {
      const rows = [Sample.full(entity, 1), Sample.full(entity, 2), Sample.nulled(entity, Sample.full(entity, 3))]
      for (const row of rows) yield* store.commit(Case.write(append(entity, row)))
      for (const row of rows) yield* assertLoads(store, entity, row)
    })
  )
)

const rewrites = Entities.all
  .filter((entity) => !entity.appendOnly)
  .map((entity) =>
    Case.make(`${entity.name}: a row is put, replaced and removed`, (store) =>
      Effect.gen(function* () {
        const row = Sample.full(entity, 1)
        const key = Sample.values(row, entity.key)
        const later = {
          ...Sample.full(entity, 2),
          ...Object.fromEntries(entity.key.map((name) => [name, row[name] ?? null]))
        }
        const neighbour = Sample.full(entity, 3)
        yield* store.commit(Case.write(put(entity, row), put(entity, neighbour)))
        yield* assertLoads(store, entity, row)
        yield* store.commit(Case.write(put(entity, later)))
        yield* assertLoads(store, entity, later)
        yield* store.commit(Case.write(remove(entity, key)))
        assert.strictEqual(yield* store.load(entity, key), undefined)
        yield* store.commit(Case.write(remove(entity, key)))
        yield* assertLoads(store, entity, neighbour)
      })
    )
  )

const changes = Entities.all
  .filter((entity) => !entity.appendOnly)
  .map((entity) =>
    Case.make(`${entity.name}: each column can be changed alone, and writing an equal row changes nothing`, (store) =>
      Effect.gen(function* () {
        const other = Sample.full(entity, 2)
        let row: Readonly<Record<string, Value>> = Sample.full(entity, 1)
        yield* store.commit(Case.write(append(entity, row)))
        for (const column of Object.keys(entity.columns).filter((column) => !entity.key.includes(column))) {
          row = { ...row, [column]: other[column] ?? null }
          yield* store.commit(Case.write(put(entity, row)))
          yield* assertLoads(store, entity, row)
        }
        yield* store.commit(Case.write(put(entity, row)))
        yield* assertLoads(store, entity, row)
        for (const [index, columns] of Object.entries(entity.index)) {
          const rows = yield* store.find(entity, index, { equals: Sample.values(row, columns), limit: 2 })
          Case.assertRows(rows, [row])
        }
      })
    )
  )

const appendOnly = Entities.all
  .filter((entity) => entity.appendOnly)
  .map((entity) =>
    Case.make(`${entity.name}: rows are never changed or removed, and the attempt affects no other commit`, (store) =>
      Effect.gen(function* () {
        const row = Sample.full(entity, 1)
        const key = Sample.values(row, entity.key)
        const changed = {
          ...Sample.full(entity, 2),
          ...Object.fromEntries(entity.key.map((name) => [name, row[name] ?? null]))
        }
        yield* store.commit(Case.write(append(entity, row)))
        yield* Effect.all(
          [
            store.commit(Case.write(put(Order, Sample.order("before")))),
            Case.expectDefect(store, Case.write(put(Order, Sample.order("with change")), put(entity, changed))),
            Case.expectDefect(store, Case.write(put(Order, Sample.order("with removal")), remove(entity, key))),
            store.commit(Case.write(put(Order, Sample.order("after"))))
          ],
          { concurrency: "unbounded" }
        )
        yield* assertLoads(store, entity, row)
        assert.ok(yield* store.load(Order, ["before"]))
        assert.ok(yield* store.load(Order, ["after"]))
        assert.strictEqual(yield* store.load(Order, ["with change"]), undefined)
        assert.strictEqual(yield* store.load(Order, ["with removal"]), undefined)
      })
    )
  )

const extremes: ReadonlyArray<readonly [name: string, text: string, integer: number, bytes: Uint8Array]> = [
  ["empty values", "", 0, new Uint8Array()],
  ["the largest whole number", "9007199254740991", Number.MAX_SAFE_INTEGER, Uint8Array.of(0)],
  ["the smallest whole number", "-9007199254740991", Number.MIN_SAFE_INTEGER, Uint8Array.of(255, 0, 128)],
  ["NUL, quotes and line ends", "a\0b\0 ' \" \r\n\t\\", 1, Uint8Array.from({ length: 256 }, (_, i) => i)],
  [
    "many scripts and planes",
    "Ångström naïve 日本語 \uFFFD \u{1F600} \u{10FFFF}",
    2 ** 40,
    new Uint8Array(100_000).fill(7)
  ]
]

const values = extremes.map(([name, text, integer, bytes]) =>
  Case.make(`text, numbers and bytes are read exactly as written: ${name}`, (store) =>
    Effect.gen(function* () {
      const card = Sample.blank(Card, {
        cardId: `card ${text}`,
        panHash: text,
        createdAtMs: integer,
        encryptedPan: bytes
      })
      yield* store.commit(Case.write(put(Card, card)))
      Case.assertRow(yield* store.load(Card, [card.cardId]), card)
    })
  )
)

export const cases: ReadonlyArray<Case.Case> = [
  ...roundTrips,
  ...rewrites,
  ...changes,
  ...appendOnly,
  ...values,

  Case.make("a stored row does not change when the caller overwrites its bytes", (store) =>
    Effect.gen(function* () {
      const card = Sample.blank(Card, { cardId: "1", encryptedPan: Uint8Array.of(1, 2, 3) })
      const written = { ...card, encryptedPan: Uint8Array.from(card.encryptedPan) }
      yield* store.commit(Case.write(put(Card, written)))
      written.encryptedPan.fill(0)
      const loaded = yield* store.load(Card, ["1"])
      Case.assertRow(loaded, card)
      loaded?.encryptedPan.fill(0)
      Case.assertRow(yield* store.load(Card, ["1"]), card)
    })
  ),

  Case.make("the writes of a decision happen in order", (store) =>
    Effect.gen(function* () {
      const order = Sample.order("1")
      yield* store.commit(
        Case.write(put(Order, order), remove(Order, ["1"]), append(Order, order), put(Order, { ...order, version: 2 }))
      )
      assert.strictEqual((yield* store.load(Order, ["1"]))?.version, 2)
    })
  ),

  Case.make("appending an existing key is a defect, and nothing of its decision is written", (store) =>
    Effect.gen(function* () {
      yield* store.commit(Case.write(append(Order, Sample.order("1"))))
      yield* Case.expectDefect(
        store,
        Case.write(
          append(Order, Sample.order("2")),
          post("account", 5),
          append(Order, Sample.order("1", { clientOrderId: "other" }))
        )
      )
      assert.strictEqual(yield* store.load(Order, ["2"]), undefined)
      assert.strictEqual(yield* store.load(Balance, ["account"]), undefined)
      Case.assertRow(yield* store.load(Order, ["1"]), Sample.order("1"))
    })
  ),

  Case.make("a used unique key without a guard is a defect and affects no concurrent commit", (store) =>
    Effect.gen(function* () {
      yield* store.commit(Case.write(put(Order, Sample.order("taken", { clientOrderId: "c" }))))
      const neighbours = Array.from({ length: 10 }, (_, n) => Sample.order(`neighbour ${n}`))
      yield* Effect.all(
        neighbours.flatMap((order) => [
          store.commit(Case.write(put(Order, order))),
          Case.expectDefect(store, Case.write(put(Order, Sample.order(`x ${order.orderId}`, { clientOrderId: "c" }))))
        ]),
        { concurrency: "unbounded" }
      )
      for (const order of neighbours) {
        Case.assertRow(yield* store.load(Order, [order.orderId]), order)
        assert.strictEqual(yield* store.load(Order, [`x ${order.orderId}`]), undefined)
      }
      assert.strictEqual((yield* store.load(Order, ["merchant", "c"], "clientOrder"))?.orderId, "taken")
    })
  ),

  Case.make("a unique key can be used again after a change or removal of its row", (store) =>
    Effect.gen(function* () {
      const free = absent(Order, "clientOrder", ["merchant", "c"])
      yield* store.commit(Case.write(put(Order, Sample.order("1", { clientOrderId: "c" }))))
      yield* store.commit(Case.write(put(Order, Sample.order("1", { clientOrderId: "d" }))))
      yield* store.commit({ guards: [free], writes: [put(Order, Sample.order("2", { clientOrderId: "c" }))] })
      yield* store.commit(Case.write(remove(Order, ["2"])))
      yield* store.commit({ guards: [free], writes: [put(Order, Sample.order("3", { clientOrderId: "c" }))] })
      assert.strictEqual((yield* store.load(Order, ["merchant", "c"], "clientOrder"))?.orderId, "3")
    })
  ),

  Case.make("a defect undoes all replacements and removals of its decision", (store) =>
    Effect.gen(function* () {
      const order = Sample.order("1")
      yield* store.commit(Case.write(put(Order, order), put(Order, Sample.order("2")), post("account", 5)))
      yield* Case.expectDefect(
        store,
        Case.write(
          put(Order, { ...order, clientOrderId: "changed" }),
          put(Order, { ...order, clientOrderId: "changed again" }),
          remove(Order, ["2"]),
          post("account", 1),
          append(Order, order)
        )
      )
      Case.assertRow(yield* store.load(Order, ["1"]), order)
      Case.assertRow(yield* store.load(Order, ["merchant", "client 1"], "clientOrder"), order)
      assert.strictEqual(yield* store.load(Order, ["merchant", "changed"], "clientOrder"), undefined)
      Case.assertRow(yield* store.load(Order, ["merchant", "client 2"], "clientOrder"), Sample.order("2"))
      assert.strictEqual((yield* store.load(Balance, ["account"]))?.minor, 5n)
    })
  ),

  Case.make("a number beyond 2^53 − 1 that is no sum is a defect", (store) =>
    Effect.gen(function* () {
      yield* Case.expectDefect(store, Case.write(append(LedgerEntry, { ...Sample.blank(LedgerEntry, {}), minor: 0.5 })))
      yield* Case.expectDefect(store, Case.write(put(Order, { ...Sample.order("1"), amountMinor: 2 ** 53 })))
    })
  ),

  ...[1, -1].map((sign) =>
    Case.make(`postings of ${sign} × 9,007,199,254,740,991 sum exactly beyond 2^53, alone and at once`, (store) =>
      Effect.gen(function* () {
        const minor = sign * Number.MAX_SAFE_INTEGER
        yield* store.commit(Case.write(post("a", minor), post("a", minor)))
        yield* Case.race(
          store,
          Array.from({ length: 98 }, () => Case.write(post("a", minor)))
        )
        yield* store.commit(Case.write(post("a", sign)))
        const expected = 100n * BigInt(minor) + BigInt(sign)
        assert.strictEqual((yield* store.load(Balance, ["a"]))?.minor, expected)
        assert.deepStrictEqual(yield* store.find(Balance, "key", { limit: 9 }), [{ account: "a", minor: expected }])
      })
    )
  ),

  ...[2n ** 63n - 1n, -(2n ** 63n)].map((minor) =>
    Case.make(`a sum is read exactly as written: ${minor}; one beyond is a defect`, (store) =>
      Effect.gen(function* () {
        yield* store.commit(Case.write(put(Balance, { account: "a", minor })))
        const beyond = Case.write(append(Evidence, Sample.evidence("e")), post("a", minor > 0n ? 1 : -1))
        yield* Case.expectDefect(store, beyond)
        assert.strictEqual(yield* store.load(Evidence, ["e"]), undefined)
        assert.strictEqual((yield* store.load(Balance, ["a"]))?.minor, minor)
      })
    )
  ),

  Case.make("200 concurrent postings to two accounts sum exactly", (store) =>
    Effect.gen(function* () {
      const posts = Array.from({ length: 200 }, (_, n) => Case.write(post("a", n + 1), post("b", -n - 1)))
      assert.strictEqual(yield* Case.race(store, posts), 200)
      assert.strictEqual((yield* store.load(Balance, ["a"]))?.minor, 20_100n)
      assert.strictEqual((yield* store.load(Balance, ["b"]))?.minor, -20_100n)
    })
  )
]
