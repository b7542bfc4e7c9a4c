/**
 * Searches orders for an operator, newest first. Each search uses the narrowest index, and a page reads a limited number of rows.
 * If they do not fill the page, the next page continues from there.
 */
import * as Canonical from "@pay/schema/Canonical"
import * as Money from "@pay/schema/Money"
import * as PayApi from "@pay/schema/PayApi"
import { Clock, Effect, Redacted, Result } from "effect"
import * as KeysetPage from "../kernel/KeysetPage.ts"
import { Store, type StoreUnavailable } from "../kernel/Store.ts"
import { Card } from "../orders/record/Card.ts"
import * as Lifecycle from "../orders/record/Lifecycle.ts"
import { Order } from "../orders/record/Order.ts"
import { OrderRequest } from "../orders/record/OrderRequest.ts"
import { KeyVault } from "../vault/KeyVault.ts"

export interface WholeCard {
  readonly number: Redacted.Redacted<string>
  readonly month: string
  readonly year: string
}

/** The criteria of a search. An order must meet all that are given. */
export interface Criteria {
  readonly merchant?: string
  /** Requires `merchant`. */
  readonly clientOrderId?: string
  readonly status?: Lifecycle.WireStatus
  readonly state?: Lifecycle.State
  readonly lastFour?: string
  /** Requires `merchant`, under whose key the number of the card is hashed. */
  readonly card?: WholeCard
  /** The amount in its wire form: `10.42`. */
  readonly amount?: string
  readonly currency?: string
  readonly filteredBy?: string
  /** A request of the order has been `unknown` for longer than this. */
  readonly unknownForMs?: number
  readonly fromMs?: number
  readonly toMs?: number
}

export interface Page {
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

interface Candidate {
  readonly orderId: string
  /** The row, if the index is one of orders. */
  readonly order?: Order
  readonly cursor: KeysetPage.Cursor
}

type Walk = (
  after: KeysetPage.Cursor | undefined,
  limit: number
) => Effect.Effect<ReadonlyArray<Candidate>, StoreUnavailable>

/**
 * Whether the order has the status. `processing` includes orders with a follow-up under way. `unknown` is always true here,
 * because the search already selects such orders.
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
const matches = (order: Order, criteria: Criteria): boolean =>
  (criteria.merchant === undefined || order.merchantId === criteria.merchant) &&
  (criteria.clientOrderId === undefined || order.clientOrderId === criteria.clientOrderId) &&
  (criteria.status === undefined || hasStatus(order, criteria.status)) &&
  (criteria.state === undefined || order.state === criteria.state) &&
  (criteria.lastFour === undefined || order.lastFour === criteria.lastFour) &&
  (criteria.amount === undefined || isAmount(order, criteria.amount)) &&
  (criteria.currency === undefined || order.currency === criteria.currency) &&
  (criteria.filteredBy === undefined || order.filteredBy === criteria.filteredBy) &&
  order.createdAtMs >= (criteria.fromMs ?? 0) &&
  order.createdAtMs <= (criteria.toMs ?? Number.MAX_SAFE_INTEGER)

export const make = Effect.gen(function* () {
  const store = yield* Store
  const vault = yield* KeyVault

  const orders =
    (index: "created" | "merchant" | "lastFour", equals: ReadonlyArray<string>, { fromMs, toMs }: Criteria): Walk =>
    (after, limit) =>
      Effect.map(KeysetPage.newest(store, Order, index, { equals, fromMs, toMs, after, limit }), (rows) =>
        rows.map((order) => ({
          orderId: order.orderId,
          order,
          cursor: { atMs: order.createdAtMs, key: order.orderId }
        }))
      )

  /**
   * Selects orders with unknown requests. `acceptedUntilMs` is `undefined` for any time of acceptance, also one that is in the
   * future because the clock was set back.
   */
  const unknowns =
    (acceptedUntilMs: number | undefined): Walk =>
    (after, limit) =>
      Effect.map(
        KeysetPage.newest(store, OrderRequest, "progress", {
          equals: ["unknown"],
          toMs: acceptedUntilMs,
          after,
          limit
        }),
        (rows) =>
          rows.map(({ acceptedAtMs, orderId, requestId }) => ({
            orderId,
            cursor: { atMs: acceptedAtMs, key: requestId }
          }))
      )

  /** Returns the hashes of a card under every version of the hashing key. */
  const hashes = (merchant: string, { month, number, year }: WholeCard): ReadonlyArray<string> => {
    const text = Canonical.card(PayApi.operations.SALE, {
      credit_card_number: Redacted.value(number),
      expire_month: month,
      expire_year: year
    })
    const card = Redacted.make(text, { label: "card" })
    const current = vault.cardHash(merchant, card)
    const version = Number(/^v(\d+)\./.exec(current)?.[1] ?? 1)
    const earlier = Array.from({ length: version - 1 }, (_, at) => vault.cardHash(merchant, card, `v${at + 1}.`))
    return [...new Set([current, ...earlier])]
  }

  /** Selects the orders of a card, one hash after the other. The time in the cursor is the position of the hash. */
  const cards = (merchant: string, all: ReadonlyArray<string>): Walk =>
    Effect.fnUntraced(function* (after, limit) {
      for (let at = after?.atMs ?? 0; at < all.length; at += 1) {
        const beyond = after?.atMs === at ? after.key : undefined
        const rows = yield* store.find(Card, "pan", {
          equals: [merchant, all[at] ?? ""],
          limit: limit + 1,
          descending: true,
          ...(beyond === undefined ? {} : { to: beyond })
        })
        const fresh = rows.filter(({ cardId }) => cardId !== beyond).slice(0, limit)
        if (fresh.length > 0) return fresh.map(({ cardId }) => ({ orderId: cardId, cursor: { atMs: at, key: cardId } }))
      }
      return []
    })

  const one = (merchant: string, clientOrderId: string): Walk =>
    Effect.fnUntraced(function* (after) {
      const order = after === undefined ? yield* store.load(Order, [merchant, clientOrderId], "clientOrder") : undefined
      return order === undefined ? [] : [{ orderId: order.orderId, order, cursor: { atMs: 0, key: order.orderId } }]
    })

  const walkOf = (criteria: Criteria, nowMs: number): Walk => {
    const { card, clientOrderId, lastFour, merchant, status, unknownForMs } = criteria
    if (merchant !== undefined && clientOrderId !== undefined) return one(merchant, clientOrderId)
    if (merchant !== undefined && card !== undefined) return cards(merchant, hashes(merchant, card))
    if (status === "unknown" || unknownForMs !== undefined)
      return unknowns(unknownForMs === undefined ? undefined : nowMs - unknownForMs)
    if (lastFour !== undefined) return orders("lastFour", [lastFour], criteria)
    return merchant === undefined ? orders("created", [], criteria) : orders("merchant", [merchant], criteria)
  }

  return Effect.fn("SearchOrders")(function* (criteria: Criteria, { after, limit }: Page) {
    const walk = walkOf(criteria, yield* Clock.currentTimeMillis)
    const matching = new Map<string, Order>()
    let looked = 0
    let cursor = after
    while (looked < mostRead) {
      const candidates = yield* walk(cursor, chunkRows)
      for (const { cursor: here, order: read, orderId } of candidates) {
        const order = read ?? (yield* store.load(Order, [orderId]))
        looked += 1
        cursor = here
        if (order !== undefined && matches(order, criteria)) matching.set(orderId, order)
        if (matching.size === limit) return { orders: [...matching.values()], looked, next: cursor } satisfies OrderPage
      }
      if (candidates.length === 0)
        return { orders: [...matching.values()], looked, next: undefined } satisfies OrderPage
      yield* Effect.yieldNow
    }
    return { orders: [...matching.values()], looked, next: cursor } satisfies OrderPage
  })
})
