/** What the gateway acknowledged or committed stays in the store with the same content. */
import { CardRef, Order, OrderRequest, Subscription } from "@pay/gateway/Entities"
import type { Store, StoreUnavailable } from "@pay/gateway/Store"
import * as Money from "@pay/schema/Money"
import { Effect } from "effect"
import * as SerialNumber from "../../../gateway/gateway/src/kernel/SerialNumber.ts"
import type { Exchange } from "../OwnGateway.ts"
import type { Check, Problems } from "./Check.ts"

type StoreService = Store["Service"]
type Named = Pick<Exchange, "path" | "body" | "status" | "answer">
type Problem = Effect.Effect<string | undefined, StoreUnavailable>

/** The value of a field of a flat JSON answer. */
export const report = (answer: string, field: string): string | undefined =>
  new RegExp(`"${field}":"([^"]*)"`).exec(answer)?.[1]

const creations = /\/(sale|preauth|account-verification|payout|payout-check|transfer|transfer-by-ref)$/
const followUps = /\/(capture|void|return|payout-pay)$/

interface Acknowledged {
  readonly path: RegExp
  /** The field of the answer that identifies the created row. */
  readonly field: string
  /** Returns what is wrong with the row. */
  readonly problem: (store: StoreService, id: string, exchange: Named) => Problem
}

const missing = (row: Problem | Effect.Effect<unknown, StoreUnavailable>): Problem =>
  Effect.map(row, (result) => (result === undefined ? "is missing" : undefined))

const rules: ReadonlyArray<Acknowledged> = [
  {
    path: /\/api\//,
    field: "paynet-order-id",
    problem: (store, orderId, { body, path }) =>
      Effect.map(store.load(Order, [orderId]), (order) => {
        if (order === undefined) return "is missing"
        const sent = new URLSearchParams(body)
        const name = sent.get("client_orderid") ?? sent.get("client-order-id") ?? order.clientOrderId
        if (order.clientOrderId !== name) return `is ${order.clientOrderId}, not ${name}`
        const amount = sent.get("amount") ?? ""
        const isOther = Money.canonical(Money.fromMinor(order.amountMinor, order.currency)) !== Money.canonical(amount)
        const isCreated = creations.test(path) && amount !== "" && !amount.includes(",")
        return isCreated && isOther ? `has ${order.amountMinor} minor units, not ${amount}` : undefined
      })
  },
  {
    path: followUps,
    field: "serial-number",
    problem: (store, serialNumber) =>
      missing(store.load(OrderRequest, [SerialNumber.requestId(serialNumber) ?? serialNumber]))
  },
  {
    path: /\/create-card-ref$/,
    field: "card-ref-id",
    problem: (store, cardRefId) => missing(store.load(CardRef, [cardRefId]))
  },
  {
    path: /\/create-recurring-payment$/,
    field: "recurring-payment-id",
    problem: (store, subscriptionId) => missing(store.load(Subscription, [subscriptionId]))
  }
]

/** Reports rows that an answer named, and that the store does not have with the values of the request. */
export const problems = Effect.fnUntraced(function* (store: StoreService, exchange: Named) {
  const violations: Array<string> = []
  if (exchange.status !== 200) return violations
  for (const { field, path, problem } of rules) {
    const id = path.test(exchange.path) ? report(exchange.answer, field) : undefined
    const wrong = id === undefined ? undefined : yield* problem(store, id, exchange)
    if (wrong !== undefined) violations.push(`${exchange.path} was acknowledged, but ${field} ${id} ${wrong}`)
  }
  return violations
})

export const acknowledged: Check = {
  name: "acknowledged",
  what: "Every row that an answer names is in the store with the values of the request. After each start the store has everything that was committed.",
  begin: ({ system }) => {
    let count = 0
    let opened = system.store()
    /** Compares the store with the shadow store. This is needed only after the store was opened again. */
    const committed = async (which: "all" | "recent"): Promise<Problems> => {
      const store = system.store()
      return store === undefined ? [] : await system.run(system.committed.differences(store, which))
    }
    return {
      afterStep: async () => {
        const store = system.store()
        if (store === undefined) return []
        const violations: Array<string> = []
        for (const exchange of system.exchanges.slice(count))
          violations.push(...(await system.run(problems(store, exchange))))
        count = system.exchanges.length
        if (store !== opened) violations.push(...(await committed("recent")))
        opened = store
        return violations
      },
      atEnd: () => committed("all")
    }
  }
}
