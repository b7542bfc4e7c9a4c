import { join } from "node:path"
import { assert, describe, it } from "@effect/vitest"
import type { CallbackSender } from "@pay/gateway/CallbackSender"
import { OrderRequest } from "@pay/gateway/entities/OrderRequest"
import * as Reconciliation from "@pay/gateway/Reconciliation"
import { Store } from "@pay/gateway/Store"
import type { Booking } from "@pay/sandbox/Booking"
import { RailControl } from "@pay/sandbox/RailControl"
import { SandboxControl } from "@pay/sandbox/SandboxControl"
import { PayClient } from "@pay/transport/PayClient"
import { Effect, Layer, Logger } from "effect"
import { temporaryFolder } from "../../packages/sqlite/test/TemporaryFolder.ts"
import * as Files from "./previous/Files.ts"
import * as Flows from "./previous/Flows.ts"
import * as OnFiles from "./previous/OnFiles.ts"
import * as People from "./previous/People.ts"
import * as Requests from "./previous/Requests.ts"

/** The orders when the process was killed: status, requests that bank and rail had executed, and delivered callbacks. */
const whenKilled = `
sale-not-asked     | processing sale    |
sale-unknown       | unknown sale       | sale-0 1042
sale-never-arrived | unknown sale       |
sale-not-told      | approved sale      | sale-0 1042
preauth-held       | approved preauth   | authorize-0 1042
capture-under-way  | processing capture | authorize-0 1042, capture-1 600
3ds-challenge      | processing sale    |
page-open          | processing sale    |
club               | approved sale      | sale-0 1042
payout-waiting     | processing payout  |
payout-checked     | processing payout  | check-0 1042
task               | approved preauth   | authorize-0 1042, 1 cancel 1042 declined
card-stored        | approved sale      | sale-0 1042
flow-sale          | processing sale    |
flow-payout        | approved payout    | check-0 1042, pay-1 1042
flow-capture       | approved capture   | authorize-0 1042, capture-1 600
`

/** The orders if people act: the customers pay, the approver approves, the merchant captures, the operator closes the task. */
const afterActions = `
sale-not-asked     | approved sale      | sale-0 1042, told approved
sale-unknown       | approved sale      | sale-0 1042, told approved
sale-never-arrived | approved sale      | sale-0 1042
sale-not-told      | approved sale      | sale-0 1042, told approved
preauth-held       | approved capture   | authorize-0 1042, capture-1 1042
capture-under-way  | approved capture   | authorize-0 1042, capture-1 600, cancel-2 442
3ds-challenge      | approved sale      | sale-0 1042
page-open          | approved sale      | sale-1 1042
club               | approved sale      | sale-0 1042
payout-waiting     | approved payout    | pay-0 1042
payout-checked     | approved payout    | check-0 1042, pay-1 1042
task               | approved preauth   | authorize-0 1042, 1 cancel 1042 declined
card-stored        | approved sale      | sale-0 1042
flow-sale          | approved sale      | sale-0 1042
flow-payout        | approved payout    | check-0 1042, pay-1 1042
flow-capture       | approved capture   | authorize-0 1042, capture-1 600, cancel-2 442
rebill             | approved sale      | sale-0 1042
club's charge 1    | approved sale      | sale-0 1042
`

/**
 * The orders if no person acts. What waits for a person lapses. Each day the bank refuses to void the hold of the order `task`.
 */
const withoutActions = `
sale-not-asked     | approved sale      | sale-0 1042, told approved
sale-unknown       | approved sale      | sale-0 1042, told approved
sale-never-arrived | approved sale      | sale-0 1042
sale-not-told      | approved sale      | sale-0 1042, told approved
preauth-held       | approved cancel    | authorize-0 1042, cancel-1 1042
capture-under-way  | approved capture   | authorize-0 1042, capture-1 600, cancel-2 442
3ds-challenge      | declined sale      |
page-open          | declined sale      |
club               | approved sale      | sale-0 1042
payout-waiting     | declined payout    |
payout-checked     | declined payout    | check-0 1042
task               | approved preauth   | authorize-0 1042, 46 cancel 1042 declined
card-stored        | approved sale      | sale-0 1042
flow-sale          | declined sale      |
flow-payout        | approved payout    | check-0 1042, pay-1 1042
flow-capture       | approved capture   | authorize-0 1042, capture-1 600, cancel-2 442
club's charge 1    | approved sale      | sale-0 1042
`

/** The callbacks that the merchant.s server has received. */
class Inbox {
  readonly #notifications: Array<string> = []
  readonly send: CallbackSender["Service"]["send"] = ({ url }) =>
    Effect.sync(() => {
      const { merchant_order: order, status } = Object.fromEntries(new URL(url).searchParams)
      this.#notifications.push(`${order} ${status}`)
      return { status: 200 }
    })
  readonly about = (order: string): string =>
    this.#notifications
      .filter((line) => line.startsWith(`${order} `))
      .map((line) => `, told ${line.slice(order.length + 1)}`)
      .join("")
}

/** Runs the effect on a copy of the files, opened by this version. */
const withPreviousFiles = <A, E, R>(use: (inbox: Inbox) => Effect.Effect<A, E, R>) =>
  Effect.gen(function* () {
    const path = yield* temporaryFolder
    Files.restore(join(import.meta.dirname, "previous/c4d391b"), path)
    const inbox = new Inbox()
    const gateway = OnFiles.layer({ folder: path, callbacks: inbox.send })
    const flows = Flows.layer(path, () => Effect.void)
    return yield* Effect.provide(use(inbox), Layer.provideMerge(flows, gateway))
  }).pipe(Effect.provide(Logger.layer([])))

const statusOf = (client_orderid: string) =>
  Effect.flatMap(PayClient, (client) => OnFiles.byWallTime(client.status({ client_orderid })))

/** `capture-1 600`: the reference and amount of an executed request, and how often it was repeated. */
const report = ({ repeats, request: { amountMinor, orderId, reference } }: Booking): string =>
  `${reference.replace(`${orderId}-`, "")} ${amountMinor}${repeats === 0 ? "" : ` again ${repeats}`}`

/** The declined requests, counted by kind and amount. */
const declined = (bookings: ReadonlyArray<Booking>): ReadonlyArray<string> => {
  const each = bookings.map(({ request: { amountMinor, kind } }) => `${kind} ${amountMinor}`)
  return [...new Set(each)].map((one) => `${each.filter((other) => other === one).length} ${one} declined`)
}

const bookings = Effect.gen(function* () {
  return [...(yield* (yield* SandboxControl).books.all), ...(yield* (yield* RailControl).books.all)]
})

const booked = Effect.fnUntraced(function* (order: string) {
  const all = (yield* bookings).filter(({ request }) => request.clientOrderId === order)
  const done = all.filter(({ answer }) => answer._tag === "Approved").map(report)
  return [...done, ...declined(all.filter(({ answer }) => answer._tag === "Declined"))].join(", ")
})

/** A line of the tables; the charges of a recurring payment are named after it. */
const line = Effect.fnUntraced(function* (name: string, inbox: Inbox) {
  const { "transaction-type": type, status } = yield* statusOf(name)
  const displayed = /^\d+:\d+$/.test(name) ? `club's charge ${name.split(":")[1]}` : name
  return `${displayed.padEnd(18)} | ${`${status} ${type}`.padEnd(18)} | ${yield* booked(name)}${inbox.about(name)}`.trim()
})

/** Compares all orders with the table, also those that only bank and rail know. */
const assertTable = Effect.fnUntraced(function* (inbox: Inbox, expected: string) {
  const isKnown = (yield* bookings).flatMap(({ request: { clientOrderId = [] } }) => clientOrderId)
  const lines = yield* Effect.forEach(new Set([...Requests.names, ...isKnown]), (name) => line(name, inbox))
  assert.strictEqual(`\n${lines.join("\n")}\n`, expected)
})

/** The books balance and agree with those of bank and rail, which have received no request that a gateway may not send. */
const assertClean = Effect.gen(function* () {
  assert.deepStrictEqual((yield* Reconciliation.check).findings, [])
  assert.deepStrictEqual(yield* (yield* SandboxControl).violations, [])
  assert.deepStrictEqual(yield* (yield* RailControl).violations, [])
})

/** The merchant repeats every request: each answer is about the existing order, and no request is added. */
const assertReplayed = Effect.gen(function* () {
  const store = yield* Store
  for (const name of Requests.names) {
    const { "paynet-order-id": orderId } = yield* statusOf(name)
    const before = yield* store.find(OrderRequest, "order", { equals: [orderId], limit: 100 })
    assert.strictEqual((yield* Requests.create(name)).orderid, orderId, name)
    if (name === "capture-under-way") yield* Requests.capture(orderId)
    assert.deepStrictEqual(
      (yield* store.find(OrderRequest, "order", { equals: [orderId], limit: 100 })).map(({ requestId }) => requestId),
      before.map(({ requestId }) => requestId)
    )
  }
})

const idOf = Effect.gen(function* () {
  const ids = new Map<string, string>()
  for (const name of Requests.names) ids.set(name, (yield* statusOf(name))["paynet-order-id"])
  return (name: Requests.Name) => ids.get(name) ?? ""
})

describe("a database of the previous version", () => {
  it.live("opens unchanged, replays accepted requests, and refuses them with other content", () =>
    withPreviousFiles((inbox) =>
      Effect.gen(function* () {
        yield* assertTable(inbox, whenKilled)
        yield* assertReplayed
        for (const name of Requests.names) {
          const refused = yield* Effect.flip(Requests.create(name, { amount: "10.43" }))
          assert.deepInclude(refused, { _tag: "Refused", errorCode: 51 }, name)
        }
      })
    )
  )

  it.live("completes each order once when customers, approver and operator act", () =>
    withPreviousFiles((inbox) =>
      Effect.gen(function* () {
        yield* People.actOnce(yield* idOf)
        assert.deepStrictEqual(yield* Flows.ended, {
          "flow-sale": "approved",
          "flow-payout": "approved",
          "flow-capture": "approved"
        })
        yield* OnFiles.pass("45 days")
        yield* assertTable(inbox, afterActions)
        yield* assertClean
        yield* assertReplayed
        yield* assertTable(inbox, afterActions)
      })
    )
  )

  it.live("completes each order once when no person acts, and lets those lapse that wait for one", () =>
    withPreviousFiles((inbox) =>
      Effect.gen(function* () {
        yield* OnFiles.pass("45 days")
        yield* assertTable(inbox, withoutActions)
        yield* assertClean
      })
    )
  )
})
