/**
 * Sales that are committed to a store on PostgreSQL while something fails, and what must be true of them afterwards: an acknowledged
 * one is there once, a refused one is not, one of unknown outcome is there as a whole or not at all, and the books balance.
 */
import { assert } from "@effect/vitest"
import { Balance, LedgerEntry, Order, OrderRequest } from "@pay/gateway/Entities"
import { Store } from "@pay/gateway/Store"
import * as PostgresStore from "@pay/storage/PostgresStore"
import { Context, Effect, Layer, Redacted, Result, Schedule, type Scope } from "effect"
import * as Sale from "../../gateway/storage/test/Sale.ts"
import * as Session from "./Session.ts"
import * as TestDatabase from "./TestDatabase.ts"

type StoreService = Store["Service"]

/** Short, because a test waits for them. */
const timeouts = { connectTimeoutMs: 2000, statementTimeoutMs: 1000 }

/** Opens a store as a process does, until the scope ends. */
export const open = (url: string, options: Partial<PostgresStore.Options> = {}) =>
  Effect.map(Layer.build(PostgresStore.layer({ ...timeouts, ...options, url: Redacted.make(url) })), Context.get(Store))

/** The store of a database on what listens on these ports. */
export const at = (...ports: ReadonlyArray<number>) => `${Session.url(ports)}?target_session_attrs=read-write`

/** A server on which tests make databases. */
export class Databases extends Context.Service<
  Databases,
  {
    readonly server: string
    /** The URL of a database of its own, with the tables of a store and nothing in them. */
    readonly make: Effect.Effect<string, Session.SessionError, Scope.Scope>
  }
>()("@pay/tests/Databases") {
  static readonly layer = Layer.effect(
    Databases,
    Effect.gen(function* () {
      const server = yield* TestDatabase.server
      const template = yield* TestDatabase.forStore(server)
      yield* Effect.scoped(open(template))
      return { server, make: TestDatabase.ofItsOwn(server, template) }
    })
  )
}

/** Identifiers of orders by the answer to their commit. */
export interface Sales {
  readonly acknowledged: Array<string>
  readonly refused: Array<string>
  readonly unknown: Array<string>
}

export const none = (): Sales => ({ acknowledged: [], refused: [], unknown: [] })

/** Commits one sale and notes the answer. A guard that fails is a defect: each order is committed once. */
export const sell = (store: StoreService, sales: Sales, orderId: string) =>
  Effect.map(Effect.result(store.commit(Sale.make(orderId))), (result) => {
    if (Result.isSuccess(result)) sales.acknowledged.push(orderId)
    else if (result.failure._tag === "GuardFailed") throw new Error(`${orderId} was there before it was committed`)
    else sales[result.failure.outcomeUnknown ? "unknown" : "refused"].push(orderId)
    return result
  })

/** How many transactions stores have committed in the database with this URL, by the numbers of their writers. */
export const transactions = (url: string) =>
  Effect.map(
    Session.query({ connectionString: url }, "SELECT coalesce(sum(number), 0)::int AS n FROM pay.writers"),
    ([row]) => Number(row?.n)
  )

/** Sells until a sale is acknowledged. */
export const recover = Effect.fnUntraced(function* (store: StoreService, sales: Sales) {
  const { length } = sales.acknowledged
  for (let attempt = 1; sales.acknowledged.length === length; attempt += 1) {
    yield* sell(store, sales, `attempt ${attempt} after ${length}`)
    yield* Effect.sleep("20 millis")
  }
})

let load = 0

/** Sells in all these stores, `each` sales at a time in each, until the scope ends. */
export const sellers = Effect.fnUntraced(function* (stores: ReadonlyArray<StoreService>, each = 8) {
  const sales = none()
  load += 1
  const prefix = `load-${load}`
  let count = 0
  const one = Effect.fnUntraced(function* (store: StoreService) {
    count += 1
    // Each sale that began is answered, also when the load ends.
    const result = yield* Effect.uninterruptible(sell(store, sales, `${prefix}-${count}`))
    // A seller takes a moment between two sales, and longer after a failure.
    yield* Effect.sleep(Result.isFailure(result) ? "20 millis" : "5 millis")
  })
  for (const store of stores)
    for (let seller = 0; seller < each; seller += 1) yield* Effect.forkScoped(Effect.forever(one(store)))
  return sales
})

/** Completes when the collection has grown by this count. */
export const more = (answers: ReadonlyArray<string> | ReadonlySet<string> | ReadonlyMap<string, string>, count = 50) =>
  Effect.suspend(() => {
    const counted = () => ("size" in answers ? answers.size : answers.length)
    const goal = counted() + count
    return Effect.repeat(Effect.sync(counted), { schedule: Schedule.spaced("5 millis"), while: (now) => now < goal })
  })

const everything = { limit: 1_000_000 }

/** Compares the content of the store with the answers, and returns its orders. */
export const check = Effect.fnUntraced(function* (store: StoreService, sales: Sales) {
  const orders = (yield* store.find(Order, "key", everything)).map(({ orderId }) => orderId)
  const there = new Set(orders)
  assert.strictEqual(there.size, orders.length)
  const requests = yield* store.find(OrderRequest, "key", everything)
  assert.deepStrictEqual(
    requests.map(({ orderId }) => orderId),
    orders
  )
  const entries = yield* store.find(LedgerEntry, "key", everything)
  assert.deepStrictEqual(
    entries.map(({ entryId }) => entryId),
    orders.flatMap((orderId) => [`${orderId}:from`, `${orderId}:to`]).sort()
  )
  for (const [account, minor] of [["from", -7] as const, ["to", 7] as const])
    assert.strictEqual((yield* store.load(Balance, [account]))?.minor ?? 0n, BigInt(minor * orders.length))
  const missing = sales.acknowledged.filter((orderId) => !there.has(orderId))
  assert.deepStrictEqual(missing, [], "acknowledged and missing")
  const surplus = sales.refused.filter((orderId) => there.has(orderId))
  assert.deepStrictEqual(surplus, [], "refused and there")
  const answered = new Set([...sales.acknowledged, ...sales.unknown])
  assert.deepStrictEqual(
    orders.filter((orderId) => !answered.has(orderId)),
    []
  )
  return orders
})
