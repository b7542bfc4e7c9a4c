/** Sales of which a merchant remembers what it was answered, while gateways, stores and connections fail. */
import { assert } from "@effect/vitest"
import * as Reconciliation from "@pay/gateway/Reconciliation"
import { SandboxControl } from "@pay/sandbox/SandboxControl"
import * as PayApi from "@pay/schema/PayApi"
import * as Sample from "@pay/schema/Sample"
import * as Status from "@pay/schema/Status"
import * as PayClient from "@pay/transport/PayClient"
import { Effect, Schedule } from "effect"
import { Inbox } from "./Inbox.ts"

const { SALE } = PayApi.operations

/** What a merchant knows of its sales, by its own number of each. */
export interface SalesLedger {
  /** The gateway's number of each order that it has acknowledged. */
  readonly acknowledged: Map<string, string>
  /** Orders of whose acceptance no answer came. */
  readonly doubtful: Set<string>
}

export const make = (): SalesLedger => ({ acknowledged: new Map(), doubtful: new Set() })

/** One sale of 10.42 USD, and what was answered in the ledger. Returns the error where it was not accepted. */
export const sell = Effect.fnUntraced(function* (
  { acknowledged, doubtful }: SalesLedger,
  client: PayClient.Shape,
  client_orderid: string,
  server_callback_url: string
) {
  const payment = yield* Effect.orDie(Effect.fromResult(SALE.decodeFields(Sample.request(SALE))))
  const sold = yield* Effect.result(client.sale({ ...payment, client_orderid, server_callback_url }))
  if (sold._tag === "Success") {
    acknowledged.set(client_orderid, sold.success["paynet-order-id"])
    return undefined
  }
  if (sold.failure._tag === "OutcomeUnknown") doubtful.add(client_orderid)
  return sold.failure
})

const soon = Schedule.spaced("20 millis")

/** Follows each sale to its end: it is approved with a callback. One whose answer was lost is acknowledged now, or absent. */
export const follow = Effect.fnUntraced(function* ({ acknowledged, doubtful }: SalesLedger) {
  const client = yield* PayClient.PayClient
  const inbox = yield* Inbox
  const final = (order: { readonly client_orderid: string; readonly orderid?: string }) =>
    Effect.repeat(client.status(order), { until: ({ status }) => Status.isFinal(status), schedule: soon })
  for (const client_orderid of doubtful) {
    const answer = yield* Effect.result(final({ client_orderid }))
    if (answer._tag === "Success") acknowledged.set(client_orderid, `${answer.success["paynet-order-id"]}`)
    else assert.deepInclude(answer.failure, { _tag: "Refused", errorCode: 54 }, client_orderid)
  }
  for (const [client_orderid, orderid] of acknowledged) {
    assert.strictEqual((yield* final({ client_orderid, orderid })).status, "approved", client_orderid)
    yield* Effect.repeat(
      Effect.sync(() => inbox.about(orderid).length),
      { until: (received) => received > 0, schedule: soon }
    )
    assert.deepStrictEqual([...new Set(inbox.about(orderid).map(({ status }) => status))], ["approved"])
  }
})

/** The bank has charged each of them once, and all books agree. Returns how many orders the gateway has. */
export const check = Effect.fnUntraced(function* ({ acknowledged }: SalesLedger) {
  const control = yield* SandboxControl
  for (const [client_orderid, orderid] of acknowledged)
    assert.strictEqual((yield* control.books.totals(orderid)).capturedMinor, 1042, client_orderid)
  const { findings, orders } = yield* Reconciliation.check
  assert.deepStrictEqual(findings, [])
  assert.deepStrictEqual(yield* control.violations, [])
  return orders
})
