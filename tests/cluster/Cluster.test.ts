/** Two runners on one PostgreSQL and a gateway run as processes beside the test, which is a web server of the merchant. */
import { join } from "node:path"
import { PgClient } from "@effect/sql-pg"
import { assert, describe, it } from "@effect/vitest"
import { orderSignalKey } from "@pay/flows/AwaitFinal"
import { FlowEngine } from "@pay/flows/FlowEngine"
import * as OrderStatus from "@pay/flows/OrderStatus"
import * as Reconciliation from "@pay/gateway/Reconciliation"
import { SandboxControl } from "@pay/sandbox/SandboxControl"
import * as PayClient from "@pay/transport/PayClient"
import { Context, Effect, Layer, Schedule, Schema } from "effect"
import { temporaryFolder } from "../../packages/sqlite/test/TemporaryFolder.ts"
import * as CallbackServer from "../harness/CallbackServer.ts"
import * as ChildProcess from "../harness/ChildProcess.ts"
import * as GatewayProcess from "../harness/GatewayProcess.ts"
import * as TestGateway from "../harness/TestGateway.ts"
import * as Postgres from "./Postgres.ts"
import * as Purchases from "./Purchases.ts"
import { Command, Report, type Settings } from "./processes/runner.ts"

const program = join(import.meta.dirname, "processes/runner.ts")
const readReport = Schema.decodeSync(Report)
const writeCommand = Schema.encodeSync(Command)

type Outcome = Extract<typeof Report.Type, { readonly _tag: "Ended" }>["outcome"]

const runner = Effect.fnUntraced(function* (settings: typeof Settings.Encoded) {
  const observed = { shards: 0, waits: new Set<string>(), ended: new Map<string, Outcome>(), over: "" }
  const launched = ChildProcess.launch({
    args: [program, settings],
    ready: (line) => {
      const report = readReport(line)
      if (report._tag === "Holds") observed.shards = report.shards
      if (report._tag === "Waits") observed.waits.add(report.clientOrderId)
      if (report._tag === "Ended") observed.ended.set(report.clientOrderId, report.outcome)
      return true
    }
  })
  const { ended, kill, write } = yield* Effect.acquireRelease(launched, (child) => child.kill)
  yield* Effect.forkScoped(
    Effect.map(ended, (end) => {
      observed.over = String(end)
    })
  )
  return { observed, kill, ask: (command: typeof Command.Type) => write(writeCommand(command)) }
})

/** Completes when the condition holds. The time limit of the test ends a condition that never holds. */
const until = (isSo: () => boolean) =>
  Effect.repeat(Effect.sync(isSo), { schedule: Schedule.spaced("20 millis"), until: (so) => so })

const orders = Array.from({ length: 6 }, (_, at) => `purchase-${at + 1}`)
const first = "purchase-1"

/** The fields of the result of a flow that describe the refund, not the sale. */
const returnFields = { transactionType: "reversal", orderStage: "reversal_approved", amount: "2.00" }

/** The content of the tables of the cluster, as text. */
const written = Effect.gen(function* () {
  const sql = yield* PgClient.PgClient
  return JSON.stringify([
    yield* sql`SELECT entity_type, entity_id, tag, payload FROM cluster_messages`,
    yield* sql`SELECT payload FROM cluster_replies`
  ])
})

describe("a merchant's flows on two runners over PostgreSQL, one of them killed", () => {
  it.live(
    "move money exactly once when different processes start, signal and continue them",
    () =>
      Effect.gen(function* () {
        const folder = yield* temporaryFolder
        const ended = yield* Effect.gen(function* () {
          const [database, { baseUrl }] = yield* Effect.all([Postgres.server, GatewayProcess.sandbox(folder)], {
            concurrency: 2
          })
          const victim = join(folder, "victim")
          // Callbacks come to a web server, which executes no flows.
          const web = Purchases.flows({ baseUrl, victim }).pipe(Layer.provideMerge(Purchases.web(database)))
          const context = yield* Layer.build(web)
          const { signal } = Context.get(context, FlowEngine)
          const runHere = Effect.runForkWith(yield* Effect.context<never>())
          const shop = yield* CallbackServer.open({
            judge: (request) => {
              const { client_orderid = "" } = Object.fromEntries(CallbackServer.parameters(request))
              runHere(signal(orderSignalKey(Context.get(context, PayClient.PayClient).merchant, client_orderid)))
              return 200
            }
          })
          const settings = JSON.stringify({ database, baseUrl, callbackUrl: shop.url(), orders, victim })
          const one = yield* runner(settings)
          const other = yield* runner(settings)
          const two = [one, other]
          yield* until(() => two.every(({ observed }) => observed.shards === Purchases.shards / two.length))

          for (const { ask } of two) ask({ start: true })
          for (const order of orders)
            yield* Effect.provideContext(
              Effect.flatMap(Purchases.payload(order, shop.url()), Purchases.Purchase.start),
              context
            )
          yield* until(() => orders.every((order) => two.some(({ observed }) => observed.waits.has(order))))

          // The runner that receives the signal does not execute the flow. The runner that executes it is killed right after
          // the capture.
          const receiver = one.observed.waits.has(first) ? other : one
          receiver.ask({ signal: `sent:${first}` })
          yield* until(() => two.some(({ observed }) => observed.over !== ""))
          const [survivor, dead] = one.observed.over === "" ? [one, other] : [other, one]
          assert.deepStrictEqual([survivor.observed.over, dead.observed.over], ["", "SIGKILL"])
          yield* Effect.forEach(orders, (order) => signal(`sent:${order}`))
          yield* until(() => orders.every((order) => survivor.observed.ended.has(order)))

          for (const [order, value] of survivor.observed.ended) {
            assert.deepStrictEqual<unknown>(yield* Effect.provideContext(Purchases.Purchase.poll(order), context), {
              _tag: "Succeeded",
              value
            })
          }

          const text = yield* Effect.provide(written, PgClient.layer(Postgres.open(database)))
          for (const legible of ["listener 1", ...orders.map((order) => `/${order}`)]) assert.include(text, legible)
          for (const secret of ["4444333322221111", "credit_card", "approved", "10.42"]) assert.notInclude(text, secret)
          return survivor.observed.ended
        }).pipe(Effect.scoped)
        yield* TestGateway.quietly(folder)(
          Effect.gen(function* () {
            const control = yield* SandboxControl
            const client = yield* PayClient.PayClient
            for (const [client_orderid, outcome] of ended) {
              const order = OrderStatus.of(yield* client.status({ client_orderid }))
              assert.deepStrictEqual(outcome, { ...order, ...returnFields })
              const { authorizedMinor, capturedMinor, refundedMinor } = yield* control.books.totals(order.orderId)
              assert.deepStrictEqual([authorizedMinor, capturedMinor, refundedMinor], [1042, 1042, 200])
            }
            const { findings, orders: made } = yield* Reconciliation.check
            assert.deepStrictEqual(findings, [])
            assert.strictEqual(made, orders.length)
            assert.deepStrictEqual(yield* control.violations, [])
          })
        )
      }).pipe(Effect.scoped),
    120_000
  )
})
