import { assert, it } from "@effect/vitest"
import * as Entities from "@pay/gateway/Entities"
import type * as Entity from "@pay/gateway/Entity"
import { type Range, Store, StoreRow } from "@pay/gateway/Store"
import * as PostgresStore from "@pay/storage/PostgresStore"
import { Effect, Redacted } from "effect"
import { temporaryFolder } from "../../packages/sqlite/test/TemporaryFolder.ts"
import * as Inbox from "../harness/Inbox.ts"
import { ask } from "../harness/Operating.ts"
import * as TestGateway from "../harness/TestGateway.ts"
import * as TestMerchant from "../harness/TestMerchant.ts"
import * as PostgresServer from "../postgres/PostgresServer.ts"
import * as Session from "../postgres/Session.ts"
import * as TestDatabase from "../postgres/TestDatabase.ts"
import * as Load from "./Load.ts"
import * as PlanTap from "./PlanTap.ts"

const loaded = 6_000
/** A statement looks at so few rows and pages, however many there are. */
const mostRows = 300
const mostPages = 600

const nodes = (node: PlanTap.PlanNode): ReadonlyArray<PlanTap.PlanNode> => [node, ...(node.Plans ?? []).flatMap(nodes)]

const visited = (node: PlanTap.PlanNode): number =>
  node["Node Type"].includes("Scan") && node["Relation Name"] !== undefined
    ? ((node["Actual Rows"] ?? 0) +
        (node["Rows Removed by Filter"] ?? 0) +
        (node["Rows Removed by Index Recheck"] ?? 0)) *
      (node["Actual Loops"] ?? 1)
    : 0

/** The call of a function counts the pages of all that is done inside of it; each of those statements is judged by itself. */
const isUnbounded = ({ Plan }: PlanTap.Explained, large: ReadonlySet<string>): boolean => {
  const scans = nodes(Plan).filter((node) => node["Relation Name"] !== undefined)
  const pages = (Plan["Shared Hit Blocks"] ?? 0) + (Plan["Shared Read Blocks"] ?? 0)
  return (
    (scans.length > 0 && pages > mostPages) ||
    scans.some(
      (node) => visited(node) > mostRows || (node["Node Type"] === "Seq Scan" && large.has(node["Relation Name"] ?? ""))
    )
  )
}

/** The texts of statements that walk a whole table or sort one. */
const unbounded = (plans: ReadonlyArray<PlanTap.Explained>, large: ReadonlySet<string>): ReadonlyArray<string> => [
  ...new Set(
    plans
      .filter((plan) => isUnbounded(plan, large))
      .map(
        (plan) =>
          `${plan["Query Text"]}\n${nodes(plan.Plan)
            .map((node) => `${node["Node Type"]} ${node["Relation Name"] ?? ""} ${visited(node)}`)
            .join("\n")}`
      )
  )
]

const largeTables = (url: string) =>
  Effect.map(
    Session.query(
      { connectionString: url },
      "SELECT relname FROM pg_class WHERE relnamespace = 'pay'::regnamespace AND relkind = 'r' AND reltuples > 1000"
    ),
    (rows) => new Set(rows.map(({ relname }) => `${relname}`))
  )

const valuesOf = (row: Readonly<Record<string, Entity.Value>>, columns: ReadonlyArray<string>) =>
  columns.map((column) => row[column] ?? null)

/** Every shape of a range that an index can answer, with the values of a row that is there. */
const rangesOf = (columns: ReadonlyArray<string>, row: Readonly<Record<string, Entity.Value>>): ReadonlyArray<Range> =>
  columns.flatMap((_, prefix) => {
    const equals = columns.slice(0, prefix).map((column) => row[column] ?? null)
    const next = row[columns[prefix] ?? ""] ?? null
    const bounds = next === null ? [{}] : [{}, { from: next }, { to: next }, { from: next, to: next }]
    return bounds.flatMap((bound) => [false, true].map((descending) => ({ ...bound, equals, limit: 10, descending })))
  })

const everyShape = Effect.gen(function* () {
  const store = yield* Store
  let shapes = 0
  for (const entity of Entities.all) {
    const rows = yield* store.find(entity, "key", { limit: 50 })
    const row = rows.at(-1)
    assert(row !== undefined, `no row of ${entity.name}`)
    for (const unique of ["key", ...Object.keys(entity.unique)]) {
      const values: ReadonlyArray<Entity.Value> = valuesOf(row, StoreRow.uniqueColumns(entity, unique))
      if (values.includes(null)) continue
      assert.isDefined(yield* store.load(entity, values, unique))
      shapes += 1
    }
    for (const index of ["key", ...Object.keys(entity.index)])
      for (const range of rangesOf(StoreRow.indexColumns(entity, index), row)) {
        yield* store.find(entity, index, range)
        shapes += 1
      }
  }
  return shapes
})

const sell = Effect.gen(function* () {
  const { url } = yield* Inbox.Inbox
  const callback = { server_callback_url: url }
  for (const fields of [{}, {}, { cvv2: "555" }]) yield* TestMerchant.order("SALE", { ...callback, ...fields })
  const preauth = yield* TestMerchant.order("PREAUTH", callback)
  yield* TestMerchant.done("CAPTURE", preauth, { amount: "4.00", currency: "USD" })
  yield* TestMerchant.order("PREAUTH", callback)
})

/** What merchants, customers' cards and operators make a gateway do. */
const work = Effect.gen(function* () {
  yield* sell
  const sale = yield* TestMerchant.order("SALE")
  yield* TestMerchant.done("RETURN", sale, { amount: "1.00", currency: "USD", comment: "x" })
  yield* TestMerchant.orderStatus(sale)
  const voided = yield* TestMerchant.order("PREAUTH")
  yield* TestMerchant.done("VOID", voided)
  const search = yield* ask("POST", "/operator/orders/search", { merchant: "sandbox-merchant", limit: 20 })
  for (const criteria of [{ email: "john.smith@gmail.com" }, { approvalCode: "000001" }, { bankId: "PNTEST-1" }])
    assert.strictEqual((yield* ask("POST", "/operator/orders/search", criteria)).status, 200)
  const order = yield* ask("GET", `/operator/orders/${sale.orderid}`)
  const [unknown, now] = [yield* ask("GET", "/operator/unknown"), yield* ask("GET", "/operator/now")]
  assert.deepStrictEqual([search.status, order.status, unknown.status, now.status], [200, 200, 200, 200])
})

it.live("no statement of a gateway on PostgreSQL reads a whole table", () =>
  Effect.gen(function* () {
    const server = yield* PostgresServer.make({ inMemory: true })
    const url = yield* TestDatabase.make(Session.url([server.port]))
    const folder = yield* temporaryFolder
    yield* sell.pipe(TestGateway.running(folder, { database: { url: Redacted.make(url) } }))
    yield* Load.orders(url, loaded)
    yield* PlanTap.explainAll(url)
    const tap = yield* PlanTap.make(url)
    const large = yield* largeTables(url)
    assert.includeMembers([...large], ["orders", "requests", "ledger", "callbacks", "jobs"])
    const onTap = { database: { url: Redacted.make(tap.url) } }
    // Jobs that a gateway left are claimed by the next one.
    const left = Effect.forEach(Array.from({ length: 12 }), () => TestMerchant.create("SALE"))
    yield* left.pipe(TestGateway.running(folder, { ...onTap, settings: { jobsPaused: true } }))
    yield* Effect.andThen(TestMerchant.settled, work).pipe(TestGateway.running(folder, onTap))
    const plans = tap.plans()
    // Statements inside of the functions are among them.
    for (const text of ["FOR UPDATE SKIP LOCKED", 'INSERT INTO pay."ledger"', "pg_advisory_xact_lock"])
      assert.isTrue(
        plans.some((plan) => plan["Query Text"].includes(text)),
        `no plan of ${text}`
      )
    assert.deepStrictEqual(unbounded(plans, large), [])

    yield* Load.anything(url, loaded / 2)
    const all = yield* largeTables(url)
    assert.strictEqual(Entities.all.filter(({ name }) => !all.has(name)).length, 0)
    for (const [mode, suffix] of [
      ["force_generic_plan", ""],
      ["force_custom_plan", "?pgbouncer=true"]
    ] as const) {
      yield* PlanTap.explainAll(url, { plan_cache_mode: mode })
      const shapes = yield* Effect.provide(
        everyShape,
        PostgresStore.layer({ url: Redacted.make(`${tap.url}${suffix}`), readers: 1, writers: 1 }),
        { local: true }
      )
      const plans = tap.plans()
      assert.isAbove(plans.length, shapes)
      assert.deepStrictEqual(unbounded(plans, all), [])
    }
  }).pipe(Effect.provide(Inbox.layer))
)

it("the check of plans distinguishes reading a whole table from reading a few rows", () => {
  const plan = (node: PlanTap.PlanNode): PlanTap.Explained => ({ "Query Text": "SELECT", Plan: node })
  const scan = { "Node Type": "Index Scan", "Relation Name": "orders", "Actual Rows": 10 }
  const large = new Set(["orders"])
  assert.lengthOf(unbounded([plan(scan)], large), 0)
  const walking: ReadonlyArray<PlanTap.PlanNode> = [
    { ...scan, "Rows Removed by Filter": 5000 },
    { ...scan, "Actual Loops": 100 },
    { ...scan, "Node Type": "Seq Scan" },
    { ...scan, "Shared Hit Blocks": 5000 },
    { "Node Type": "Limit", Plans: [{ ...scan, "Actual Rows": 20_000 }] }
  ]
  for (const node of walking) assert.lengthOf(unbounded([plan(node)], large), 1)
})
