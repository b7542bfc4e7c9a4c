/**
 * The statements on SQLite of a whole payment, from its request to its delivered callback: which tables it reads, in this order, how many
 * rows it writes, and how often it commits. A read that is not needed costs each payment its time.
 */
import { assert, describe, it } from "@effect/vitest"
import { Store } from "@pay/gateway/Store"
import * as PayApi from "@pay/schema/PayApi"
import * as Sample from "@pay/schema/Sample"
import * as Database from "@pay/sqlite/Database"
import * as SqliteStore from "@pay/storage/SqliteStore"
import { Effect, Layer, Predicate } from "effect"
import * as ClientMerchant from "../harness/ClientMerchant.ts"
import * as HostedPage from "../harness/HostedPage.ts"
import * as World from "../harness/World.ts"

interface Cost {
  readonly reads: ReadonlyArray<string>
  readonly writes: number
  readonly commits: number
}

const isRead = (sql: string): boolean => sql.startsWith("SELECT")
const writesOf = (statements: ReadonlyArray<string>): number => statements.filter((sql) => !isRead(sql)).length

/** A store in memory that records its statements. */
const recorded = () => {
  let statements: Array<string> = []
  let commits = 0
  let committed = 0
  const store = Layer.effect(
    Store,
    Effect.gen(function* () {
      const { connection, ...rest } = yield* Database.open({
        path: ":memory:",
        intercept: (sql, run) => {
          const writes = writesOf(statements)
          if (sql === "COMMIT" && writes > committed) commits += 1
          committed = writes
          run()
        }
      })
      const store = yield* SqliteStore.make({ database: { connection, ...rest } })
      const prepare = connection.prepare.bind(connection)
      connection.prepare = (sql) => {
        if (!isLook.test(sql)) statements.push(sql.trim())
        return prepare(sql)
      }
      return store
    })
  ).pipe(Layer.orDie)
  const costOf = <A, E, R>(payment: Effect.Effect<A, E, R>) =>
    Effect.gen(function* () {
      statements = []
      commits = committed = 0
      yield* Effect.andThen(payment, World.settled)
      const reads = statements.filter(isRead)
      return {
        reads: reads.map((sql) => /FROM "(\w+)"/.exec(sql)?.[1] ?? sql),
        writes: writesOf(statements),
        commits
      } satisfies Cost
    })
  return { store, costOf }
}

/** The scheduler's own look for due jobs. */
const isLook = /FROM "jobs" WHERE "kind"/

const url = { server_callback_url: "https://shop.example/callback" }
const paid = (name: "SALE" | "PREAUTH") => Effect.suspend(() => ClientMerchant.create(name, url))
const followUp = (name: "CAPTURE" | "VOID" | "RETURN", order: ClientMerchant.Order) =>
  ClientMerchant.act(name, order, url)

const entered = Effect.suspend(() => {
  count += 1
  const fields = { ...Sample.request(PayApi.operations.SALEFORM), ...url, client_orderid: `page-${count}` }
  return Effect.flatMap(ClientMerchant.call("SALEFORM", fields), (answer) =>
    HostedPage.inProcess(new URL(redirectOf(answer)).pathname, { form: HostedPage.goodCard })
  )
})
let count = 0
const redirectOf = (answer: unknown): string =>
  Predicate.hasProperty(answer, "redirect-url") ? String(answer["redirect-url"]) : ""

/** What is there before, and what costs. */
type Payment = Effect.Effect<Effect.Effect<unknown, unknown, World.Services>, unknown, World.Services>

const after = (name: "SALE" | "PREAUTH", followUpName: "CAPTURE" | "VOID" | "RETURN"): Payment =>
  Effect.map(Effect.tap(paid(name), World.settled), (order) => followUp(followUpName, order))

const followUpReads = [
  "orders",
  "requests",
  "orders",
  "requests",
  "bankTasks",
  "requests",
  "jobs",
  "orders",
  "callbacks",
  "jobs"
]

const rows: ReadonlyArray<readonly [what: string, payment: Payment, cost: Cost]> = [
  [
    "a sale",
    Effect.succeed(paid("SALE")),
    { reads: ["orders", "orders", "jobs", "orders", "jobs"], writes: 18, commits: 3 }
  ],
  [
    "a sale whose card is entered on a page",
    Effect.succeed(entered),
    {
      reads: [
        "orders",
        "orders",
        "hostedSessions",
        "orders",
        "requests",
        "orders",
        "hostedSessions",
        "orders",
        "requests",
        "cards",
        "cvvs",
        "jobs",
        "orders",
        "jobs"
      ],
      writes: 29,
      commits: 4
    }
  ],
  ["a capture", after("PREAUTH", "CAPTURE"), { reads: followUpReads, writes: 20, commits: 3 }],
  ["a void", after("PREAUTH", "VOID"), { reads: followUpReads, writes: 16, commits: 3 }],
  ["a return", after("SALE", "RETURN"), { reads: followUpReads, writes: 15, commits: 3 }]
]

describe("the statements of a payment on SQLite, to its delivered callback", () => {
  for (const [what, payment, expected] of rows)
    it.live(`${what}: ${expected.reads.length} reads, ${expected.commits} commits`, () => {
      const { costOf, store } = recorded()
      return Effect.gen(function* () {
        yield* Effect.andThen(paid("SALE"), World.settled)
        assert.deepStrictEqual(yield* costOf(yield* payment), expected)
      }).pipe(Effect.provide(World.layer({ store }), { local: true }))
    })
})
