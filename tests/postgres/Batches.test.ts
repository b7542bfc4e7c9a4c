/** The transactions that a burst of decisions costs, counted by the sequence numbers of the writers. */
import { assert, it, layer } from "@effect/vitest"
import * as Decision from "@pay/gateway/Decision"
import { AuditEntry, Balance, Order } from "@pay/gateway/Entities"
import type { Store } from "@pay/gateway/Store"
import { Effect, Exit } from "effect"
import * as Sale from "../../gateway/storage/test/Sale.ts"
import * as Contract from "./Contract.ts"
import * as PostgresServer from "./PostgresServer.ts"
import * as Sales from "./Sales.ts"
import * as Session from "./Session.ts"

const transactions = Effect.flatMap(Contract.Stores, ({ database }) => Sales.transactions(database))

const together = (store: Store["Service"], decisions: ReadonlyArray<Decision.Decision>) =>
  Effect.gen(function* () {
    const before = yield* transactions
    const exits = yield* Effect.forEach(decisions, (decision) => Effect.exit(store.commit(decision)), {
      concurrency: "unbounded"
    })
    return { exits: exits.map(Exit.isSuccess), transactions: (yield* transactions) - before }
  })

const posting = (account: string, minor: number): Decision.Decision => ({
  guards: [],
  writes: [Decision.post(account, minor)]
})

const debit = (account: string): Decision.Decision => ({
  guards: [Decision.balanceAtLeast(account, 1)],
  writes: [Decision.post(account, -1)]
})

const many = (count: number, of: (n: number) => Decision.Decision) => Array.from({ length: count }, (_, n) => of(n))

const audit = (auditId: string): Decision.Decision => ({
  guards: [],
  writes: [
    Decision.append(AuditEntry, {
      ...{ auditId, atMs: 1, actor: "gateway", action: "b", outcome: "done" },
      ...{ subjectKind: "c", subjectId: "d", detail: "{}" }
    })
  ]
})

/** Decisions that arrive together, how many of them are written, and in how many transactions at most. */
const table: ReadonlyArray<
  readonly [what: string, decisions: ReadonlyArray<Decision.Decision>, written: number, transactions: number]
> = [
  ["64 sales", many(64, (n) => Sale.make(`sale ${n}`)), 64, 1],
  ["64 postings to one account", many(64, () => posting("hot", 1)), 64, 1],
  ["20 sales of one order, of which one is written", many(20, () => Sale.make("same")), 1, 20],
  ["8 debits of one balance, one after another", [posting("debited", 5), ...many(8, () => debit("debited"))], 6, 9],
  [
    "10 decisions, one of which violates a constraint",
    [audit("kept"), ...many(8, (n) => audit(`audit ${n}`)), audit("kept")],
    9,
    10
  ]
]

/** Room for some hundred locks, of which a batch of orders that change takes as many as it may. */
const small = { max_locks_per_transaction: "10", max_connections: "20", synchronous_commit: "on" }

it.live("commits that need more locks than the server has room for are split into several batches", () =>
  Effect.gen(function* () {
    const server = yield* PostgresServer.make({ inMemory: true, hasStore: true, settings: small })
    const store = yield* Sales.open(Session.url([server.port]))
    const decisions = Array.from({ length: 100 }, (_, n) => ({
      guards: [],
      writes: Array.from({ length: 100 }, (_, at) => Decision.post(`account ${n} ${at}`, 1))
    }))
    const all = decisions.map((decision) => store.commit(decision))
    yield* Effect.all(all, { concurrency: "unbounded", discard: true })
    const rows = yield* store.find(Balance, "key", { from: "account", limit: 20_000 })
    assert.strictEqual(rows.length, 10_000)
  })
)

layer(Contract.layer(Contract.direct), { excludeTestServices: true })("a burst of decisions", (it) => {
  for (const [what, decisions, written, atMost] of table)
    it.effect(`commits in at most ${atMost} transactions: ${what}`, () =>
      Effect.gen(function* () {
        const { one } = yield* Contract.Stores
        const { exits, transactions } = yield* together(one, decisions)
        assert.strictEqual(exits.filter((success) => success).length, written)
        assert.isAtMost(transactions, atMost)
      })
    )

  it.effect("causes no deadlock when two processes write the same orders and accounts in opposite order", () =>
    Effect.gen(function* () {
      const { database, one, other } = yield* Contract.Stores
      const orders = Array.from({ length: 40 }, (_, n) => `crossed ${n}`)
      yield* Effect.forEach(orders, (orderId) => one.commit(Sale.make(orderId)), {
        concurrency: "unbounded",
        discard: true
      })
      const sold = yield* one.find(Order, "key", { from: "crossed", limit: 40 })
      const touch = (order: Order): Decision.Decision => ({
        guards: [],
        writes: [Decision.put(Order, { ...order, amountMinor: 2 }), Decision.post(`account ${order.orderId}`, 1)]
      })
      const rounds = Array.from({ length: 10 }, () => [
        Effect.forEach(sold, (order) => one.commit(touch(order)), { concurrency: "unbounded", discard: true }),
        Effect.forEach(sold.toReversed(), (order) => other.commit(touch(order)), {
          concurrency: "unbounded",
          discard: true
        })
      ]).flat()
      yield* Effect.all(rounds, { concurrency: "unbounded", discard: true })
      const deadlocks = "SELECT deadlocks::int AS n FROM pg_stat_database WHERE datname = current_database()"
      assert.deepStrictEqual(yield* Session.query({ connectionString: database }, deadlocks), [{ n: 0 }])
    })
  )
})
