/**
 * Flows that the version before began and left open: it wrote no profile down, and took every gateway for one that honours keys.
 * The files in `former` were written by it; `{order}`, `{made}` and `{serial}` stand for what the gateway of the test gives out.
 * Files of a later version, which wrote it down and sealed them, are those of `tests/crash/PreviousVersion.test.ts`.
 */
import { mkdtempSync, readFileSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { DatabaseSync } from "node:sqlite"
import { assert, describe, it } from "@effect/vitest"
import * as Durable from "@pay/flows/durable"
import * as Flow from "@pay/flows/Flow"
import { Capture, Refund, Void } from "@pay/flows/OrderAction"
import { PayChecked } from "@pay/flows/PayOut"
import { Rebill } from "@pay/flows/StoredCard"
import { RailControl } from "@pay/sandbox/RailControl"
import * as Sandbox from "@pay/sandbox/Sandbox"
import { SandboxControl } from "@pay/sandbox/SandboxControl"
import type { Operation } from "@pay/schema/Operation"
import * as PayApi from "@pay/schema/PayApi"
import { PayClient } from "@pay/transport/PayClient"
import { Deferred, Effect, Layer, Schema } from "effect"
import * as TextTable from "../../packages/schema/test/TextTable.ts"
import { inBusinessTime } from "./BusinessTime.ts"
import { clientOrderId, made, request, toAccount } from "./Requests.ts"
import * as StubWorld from "./stub/StubWorld.ts"

const { operations } = PayApi

/** What reached the gateway before the process ended, and how the flow ends under this version, with all that the bank did. */
const table = `
file                  | reached   | our gateway                                        | a gateway without keys
Capture.begun         | nothing   | approved: authorize 1042, capture 600              | NeedsAPerson: authorize 1042
Capture.begun         | it        | approved: authorize 1042, capture 600              | NeedsAPerson: authorize 1042, capture 600
Capture.lost          | nothing   | approved: authorize 1042, capture 600              | NeedsAPerson: authorize 1042
Capture.lost          | it        | approved: authorize 1042, capture 600              | NeedsAPerson: authorize 1042, capture 600
Capture.waiting       | it        | approved: authorize 1042, capture 600              | approved: authorize 1042, capture 600
Capture.too-many      | nothing   | approved: authorize 1042, capture 600              | NeedsAPerson: authorize 1042
Capture.refused-once  | it        | approved: authorize 1042, capture 600              | NeedsAPerson: authorize 1042, capture 600
Capture.amounts-begun | nothing   | NeedsAPerson: authorize 1042                       | NeedsAPerson: authorize 1042
Capture.amounts-begun | it        | approved: authorize 1042, capture 600              | NeedsAPerson: authorize 1042, capture 600
Capture.amounts-lost  | it        | approved: authorize 1042, capture 600              | NeedsAPerson: authorize 1042, capture 600
Release.begun         | nothing   | approved: authorize 1042, cancel 1042              | NeedsAPerson: authorize 1042
Release.begun         | it        | approved: authorize 1042, cancel 1042              | NeedsAPerson: authorize 1042, cancel 1042
Release.lost          | it        | approved: authorize 1042, cancel 1042              | NeedsAPerson: authorize 1042, cancel 1042
Release.waiting       | it        | approved: authorize 1042, cancel 1042              | approved: authorize 1042, cancel 1042
GiveBack.begun        | nothing   | approved: authorize 1042, refund 200               | NeedsAPerson: authorize 1042
GiveBack.begun        | it        | approved: authorize 1042, refund 200               | NeedsAPerson: authorize 1042, refund 200
GiveBack.lost         | it        | approved: authorize 1042, refund 200               | NeedsAPerson: authorize 1042, refund 200
GiveBack.waiting      | it        | approved: authorize 1042, refund 200               | approved: authorize 1042, refund 200
PayChecked.begun      | nothing   | approved: check 1042, pay 1042                     | NeedsAPerson: check 1042
PayChecked.begun      | it        | approved: check 1042, pay 1042                     | NeedsAPerson: check 1042, pay 1042
PayChecked.lost       | it        | approved: check 1042, pay 1042                     | NeedsAPerson: check 1042, pay 1042
PayChecked.waiting    | it        | approved: check 1042, pay 1042                     | approved: check 1042, pay 1042
Ship.second-lost      | the first | approved: authorize 1042, capture 400, capture 600 | NeedsAPerson: authorize 1042, capture 400
Rebill.begun          | nothing   | approved: authorize 1042                           | StillUnknown:
Rebill.begun          | it        | approved: authorize 1042                           | approved: authorize 1042
Rebill.lost           | nothing   | approved: authorize 1042                           | StillUnknown:
Rebill.lost-twice     | it        | approved: authorize 1042                           | approved: authorize 1042
Rebill.waiting        | it        | approved: authorize 1042                           | approved: authorize 1042
`

type Row = readonly [file: string, reached: string, ours: string, keyless: string]
const rows = TextTable.rows(table)
  .slice(1)
  .map(([file = "", reached = "", ours = "", keyless = ""]): Row => [file, reached, ours, keyless])

/** Two captures, one after the other, as a flow of the shop. */
const Ship = Flow.make({
  name: "Ship",
  summary: "Captures two parts.",
  operation: operations.CAPTURE,
  payload: Schema.Struct({ client_orderid: Schema.String, orderid: Schema.String }),
  success: Capture.success,
  error: Capture.error,
  idempotencyKey: ({ client_orderid }) => client_orderid,
  run: Effect.fnUntraced(function* ({ client_orderid: clientOrderId, orderid: orderId }) {
    const order = { clientOrderId, orderId }
    yield* Flow.run(Capture, { ...order, name: "first", amount: "4.00", currency: "USD" })
    return yield* Flow.run(Capture, { ...order, name: "second", amount: "6.00", currency: "USD" })
  })
})

interface Sent {
  readonly operation: Operation
  readonly fields: Readonly<Record<string, string>>
  /** The key under which the former version sent it. */
  readonly key?: string
}

interface Former {
  readonly engine: (path: string) => ReturnType<typeof engineOf>
  readonly ended: Effect.Effect<string, unknown, Durable.Durable>
  /** What has to be there before it; the name by which the file knows it. */
  readonly prepare: <R>(settled: Effect.Effect<void, never, R>) => Effect.Effect<string, unknown, PayClient | R>
  readonly sends: (order: string) => ReadonlyArray<Sent>
}

const engineOf = <N extends string, P extends Flow.Fields, A extends Flow.Written, E extends Flow.Written>(
  flow: Flow.Flow<N, P, A, E, PayClient>,
  path: string
) => Layer.orDie(Durable.layer({ path, flows: Durable.flow(flow), tickMs: 86_400_000 }))

const former = <
  N extends string,
  P extends Flow.Fields,
  A extends Schema.Codec<{ readonly status: string }, unknown>,
  E extends Schema.Codec<{ readonly _tag: string }, unknown>
>(
  flow: Flow.Flow<N, P, A, E, PayClient>,
  key: string,
  { prepare, sends }: Pick<Former, "prepare" | "sends">
): Former => ({
  engine: (path) => engineOf(flow, path),
  ended: Effect.map(
    Effect.flatMap(Durable.Durable, ({ ended }) => ended(flow, key)),
    (flowStatus) => {
      if (flowStatus._tag === "Succeeded") return flowStatus.value.status
      return flowStatus._tag === "Failed" ? flowStatus.error._tag : `${flowStatus._tag} ${JSON.stringify(flowStatus)}`
    }
  ),
  prepare,
  sends
})

const orderOf =
  (name: "PREAUTH" | "SALE"): Former["prepare"] =>
  (settled) =>
    Effect.map(made(name, settled), ({ orderId }) => orderId)

const refundFile = "GiveBack"
const usd = { currency: "USD" }
const ofOrder = (orderid: string) => ({ client_orderid: clientOrderId, orderid })
const part = (orderid: string, name: string, amount: string): Sent => ({
  operation: operations.CAPTURE,
  fields: { ...ofOrder(orderid), amount, ...usd },
  key: `order-1%2F${name}:capture`
})

const flows: Readonly<Record<string, Former>> = {
  Capture: former(Capture, "order-1/shipment-1", {
    prepare: orderOf("PREAUTH"),
    sends: (order) => [part(order, "shipment-1", "6.00")]
  }),
  Release: former(Void, "order-1/release", {
    prepare: orderOf("PREAUTH"),
    sends: (order) => [{ operation: operations.VOID, fields: ofOrder(order), key: "order-1%2Frelease:void" }]
  }),
  [refundFile]: former(Refund, "order-1/return-1", {
    prepare: orderOf("SALE"),
    sends: (order) => [
      {
        operation: operations.RETURN,
        fields: { ...ofOrder(order), amount: "2.00", ...usd },
        key: "order-1%2Freturn-1:return"
      }
    ]
  }),
  PayChecked: former(PayChecked, "order-1/pay", {
    prepare: Effect.fnUntraced(function* (settled) {
      const { PAYOUT_V4_CHECK } = operations
      const client = yield* PayClient
      const check = yield* request(PAYOUT_V4_CHECK, toAccount)
      const { "paynet-order-id": order } = yield* client.call(PAYOUT_V4_CHECK, check)
      yield* settled
      return order
    }),
    sends: (order) => [{ operation: operations.PAYOUT_V4_PAY, fields: ofOrder(order), key: "order-1%2Fpay:pay" }]
  }),
  Ship: former(Ship, "order-1", {
    prepare: orderOf("PREAUTH"),
    sends: (order) => [part(order, "first", "4.00"), part(order, "second", "6.00")]
  }),
  Rebill: former(Rebill, "order-1", {
    prepare: Effect.fnUntraced(function* (settled) {
      const client = yield* PayClient
      const { "paynet-order-id": orderid } = yield* client.sale(
        yield* request(operations.SALE, { client_orderid: "first" })
      )
      yield* settled
      return (yield* client.cardref({ client_orderid: "first", orderid }))["card-ref-id"]
    }),
    sends: (order) => [{ operation: operations.REBILL, fields: { cardrefid: order } }]
  })
}

/** A file as the former version left it. */
const written = (file: string, names: Readonly<Record<"made" | "order" | "serial", string>>) =>
  Effect.acquireRelease(
    Effect.sync(() => {
      const folder = mkdtempSync(join(tmpdir(), "pay-former-"))
      const path = join(folder, "flows.db")
      const text = readFileSync(new URL(`former/${file}.sql`, import.meta.url), "utf8")
      const db = new DatabaseSync(path)
      db.exec(Object.entries(names).reduce((text, [name, value]) => text.replaceAll(`{${name}}`, value), text))
      db.close()
      return { folder, path }
    }),
    ({ folder }) => Effect.sync(() => rmSync(folder, { recursive: true }))
  )

/** Sends what a process of the previous version sent, and writes the file that it left. */
const before = Effect.fnUntraced(function* <R>(
  [file, reached]: Row,
  { prepare, sends }: Former,
  settled: Effect.Effect<void, never, R>
) {
  const client = yield* PayClient
  const order = yield* prepare(settled)
  const names = { order, made: "", serial: "" }
  const all = sends(order)
  for (const { fields, key, operation } of reached === "it" ? all : reached === "the first" ? all.slice(0, 1) : []) {
    const { login: _, ...sent } =
      operation.acts === "creates" ? yield* request(operation, fields) : { ...fields, login: "" }
    const how = key === undefined ? {} : { idempotencyKey: key }
    const answer = Object(yield* client.call(operation, sent, how))
    names.made = String(answer["paynet-order-id"])
    names.serial = String(answer["serial-number"])
    yield* reached === "it" ? Effect.void : settled
  }
  return yield* written(file, names)
})

const byFile = (file: string): Former => {
  const flow = flows[file.slice(0, file.indexOf("."))]
  assert(flow !== undefined, file)
  return flow
}

/** Goes on with the file: how it ends, and when nothing runs in it. */
const goOn = ({ ended, engine }: Former, path: string) => {
  const over = Deferred.makeUnsafe<void>()
  let rest: Effect.Effect<void> = Effect.void
  const resumed = Effect.flatMap(Durable.Durable, ({ settled }) => {
    rest = Effect.raceFirst(settled, Deferred.await(over))
    return Effect.ensuring(
      Effect.orDie(ended),
      Effect.sync(() => Deferred.doneUnsafe(over, Effect.void))
    )
  }).pipe(Effect.provide(Layer.fresh(engine(path))))
  return [resumed, Effect.suspend(() => rest)] as const
}

const atOurs = Effect.fnUntraced(function* (row: Row) {
  const flow = byFile(row[0])
  const { path } = yield* before(row, flow, Sandbox.settled)
  const [resumed, rest] = goOn(flow, path)
  const end = yield* inBusinessTime(false, rest)(resumed)
  yield* Sandbox.settled
  const { books } = yield* SandboxControl
  const rail = yield* RailControl
  const { "paynet-order-id": orderId } = yield* (yield* PayClient).status({ client_orderid: clientOrderId })
  const booked = [...(yield* books.ofOrder(orderId)), ...(yield* rail.books.ofOrder(orderId))]
  assert.deepStrictEqual((yield* Sandbox.reconciliation).findings, [])
  return `${end}: ${booked.map(({ request }) => `${request.kind} ${request.amountMinor}`).join(", ")}`
})

const atKeyless = Effect.fnUntraced(function* (row: Row, world: StubWorld.StubWorld) {
  const flow = byFile(row[0])
  const { path } = yield* before(row, flow, world.settle)
  const [resumed, rest] = goOn(flow, path)
  const end = yield* world.inTime({ rest })(resumed)
  yield* world.settle
  return `${end}: ${world.gateway.booked(clientOrderId).join(", ")}`.trim()
})

describe("a flow that the previous version left unfinished", () => {
  for (const row of rows) {
    const [file, reached, ours, keyless] = row
    it.effect(`ends without a second effect at our gateway (${file}, ${reached} arrived): ${ours}`, () =>
      Effect.gen(function* () {
        assert.strictEqual(yield* atOurs(row), ours)
      }).pipe(Effect.provide(Sandbox.layer()))
    )

    it.effect(`ends so at a gateway without idempotency keys (${file}, ${reached} arrived): ${keyless}`, () =>
      Effect.suspend(() => {
        const world = StubWorld.make({ repeats: "doubled", isTerse: false })
        return Effect.map(atKeyless(row, world), (end) => assert.strictEqual(end, keyless)).pipe(
          Effect.provide(world.client)
        )
      })
    )
  }

  it.effect("does not end approved while an accepted capture is not shown by status", () =>
    Effect.suspend(() => {
      // The clocks of the file ring weeks after the gateway has begun.
      const world = StubWorld.make({ repeats: "doubled", isTerse: false, hiddenMs: 100 * 86_400_000 })
      return Effect.map(atKeyless(["Capture.waiting", "it", "", ""], world), (end) =>
        assert.strictEqual(end, "NeedsAPerson: authorize 1042")
      ).pipe(Effect.provide(world.client))
    })
  )
})
