import * as EmailAddress from "@pay/schema/EmailAddress"
import * as Money from "@pay/schema/Money"
import { Clock, Effect, Result } from "effect"
import type * as KeysetPage from "../kernel/KeysetPage.ts"
import { Store } from "../kernel/Store.ts"
import * as Lifecycle from "../orders/record/Lifecycle.ts"
import { Order } from "../orders/record/Order.ts"
import { OrderRequest } from "../orders/record/OrderRequest.ts"
import * as OrderWalk from "./OrderWalk.ts"

export interface Range {
  readonly limit: number
  readonly after?: KeysetPage.Cursor
}

export interface OrderPage {
  readonly orders: ReadonlyArray<Order>
  /** Number of rows that were read. */
  readonly looked: number
  /** `undefined`: this is the last page. */
  readonly next: KeysetPage.Cursor | undefined
}

const chunkRows = 250
/** Largest number of rows that one page reads. */
const mostRead = 5000

/**
 * Whether the order has the status. `processing` includes orders with a follow-up under way. For `unknown` the requests of the order
 * decide, see `isUnknown`.
 */
const hasStatus = (order: Order, status: Lifecycle.WireStatus): boolean =>
  status === "unknown" ||
  Lifecycle.states[order.state].wire === status ||
  (status === "processing" && order.inFlightCount > 0)

const isAmount = (order: Order, amount: string): boolean => {
  const minor = Money.toMinorOrZero(amount, order.currency)
  return Result.isSuccess(minor) && minor.success === order.amountMinor
}

/** Whether the order meets the criteria that its index does not cover. */
const matches = (order: Order, criteria: OrderWalk.Criteria): boolean =>
  (criteria.merchant === undefined || order.merchantId === criteria.merchant) &&
  (criteria.clientOrderId === undefined || order.clientOrderId === criteria.clientOrderId) &&
  (criteria.status === undefined || hasStatus(order, criteria.status)) &&
  (criteria.state === undefined || order.state === criteria.state) &&
  (criteria.lastFour === undefined || order.lastFour === criteria.lastFour) &&
  (criteria.amount === undefined || isAmount(order, criteria.amount)) &&
  (criteria.currency === undefined || order.currency === criteria.currency) &&
  (criteria.email === undefined || order.customer === EmailAddress.customer(criteria.email)) &&
  (criteria.approvalCode === undefined || order.approvalCode === criteria.approvalCode) &&
  (criteria.bankId === undefined || order.processorTxId === criteria.bankId) &&
  (criteria.filteredBy === undefined || order.filteredBy === criteria.filteredBy) &&
  order.createdAtMs >= (criteria.fromMs ?? 0) &&
  order.createdAtMs <= (criteria.toMs ?? Number.MAX_SAFE_INTEGER)

const mostRequests = 1000

/** Whether the order has a request whose outcome is unknown, if the criteria require one. */
const isUnknown = Effect.fnUntraced(function* (
  store: Store["Service"],
  { orderId }: Order,
  { status, unknownForMs }: OrderWalk.Criteria,
  nowMs: number
) {
  if (status !== "unknown" && unknownForMs === undefined) return true
  const requests = yield* store.find(OrderRequest, "order", { equals: [orderId], limit: mostRequests })
  return requests.some(
    ({ acceptedAtMs, progress }) =>
      progress === "unknown" && (unknownForMs === undefined || acceptedAtMs <= nowMs - unknownForMs)
  )
})

export const make = Effect.gen(function* () {
  const store = yield* Store
  const walkOf = yield* OrderWalk.make

  return Effect.fn("SearchOrders")(function* (criteria: OrderWalk.Criteria, { after, limit }: Range) {
    const nowMs = yield* Clock.currentTimeMillis
    const walk = walkOf(criteria, nowMs)
    const matching = new Map<string, Order>()
    let looked = 0
    let cursor = after
    while (looked < mostRead) {
      const candidates = yield* walk(cursor, chunkRows)
      for (const { cursor: here, order: read, orderId } of candidates) {
        const order = read ?? (yield* store.load(Order, [orderId]))
        looked += 1
        cursor = here
        if (order !== undefined && matches(order, criteria) && (yield* isUnknown(store, order, criteria, nowMs)))
          matching.set(orderId, order)
        if (matching.size === limit) return { orders: [...matching.values()], looked, next: cursor } satisfies OrderPage
      }
      if (candidates.length === 0)
        return { orders: [...matching.values()], looked, next: undefined } satisfies OrderPage
      yield* Effect.yieldNow
    }
    return { orders: [...matching.values()], looked, next: cursor } satisfies OrderPage
  })
})
