/** The order in which a search reads orders: by the narrowest index for its criteria. */
import * as Canonical from "@pay/schema/Canonical"
import * as EmailAddress from "@pay/schema/EmailAddress"
import * as PayApi from "@pay/schema/PayApi"
import { Effect, Redacted } from "effect"
import * as KeysetPage from "../kernel/KeysetPage.ts"
import { Store, type StoreUnavailable } from "../kernel/Store.ts"
import { BankNumber } from "../orders/record/BankNumber.ts"
import { Card } from "../orders/record/Card.ts"
import type * as Lifecycle from "../orders/record/Lifecycle.ts"
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
  /** The customer's e-mail address. Capitals do not distinguish two. */
  readonly email?: string
  readonly approvalCode?: string
  /** The bank's own identifier of the payment. */
  readonly bankId?: string
  readonly filteredBy?: string
  /** A request of the order has been `unknown` for longer than this. */
  readonly unknownForMs?: number
  readonly fromMs?: number
  readonly toMs?: number
}

/** A row that a search reads. */
export interface Candidate {
  readonly orderId: string
  /** The row, if the index is one of orders. */
  readonly order?: Order
  readonly cursor: KeysetPage.Cursor
}

/** Reads the rows after a cursor. */
export type Walk = (
  after: KeysetPage.Cursor | undefined,
  limit: number
) => Effect.Effect<ReadonlyArray<Candidate>, StoreUnavailable>

export const make = Effect.gen(function* () {
  const store = yield* Store
  const vault = yield* KeyVault

  const orders =
    (
      index: "created" | "customer" | "merchant" | "lastFour",
      equals: ReadonlyArray<string>,
      { fromMs, toMs }: Criteria
    ): Walk =>
    (after, limit) =>
      Effect.map(KeysetPage.newest(store, Order, index, { equals, fromMs, toMs, after, limit }), (rows) =>
        rows.map((order) => ({
          orderId: order.orderId,
          order,
          cursor: { atMs: order.createdAtMs, key: order.orderId }
        }))
      )

  const bankNumbers =
    (index: "approvalCode" | "processorTxId", value: string, { fromMs, toMs }: Criteria): Walk =>
    (after, limit) =>
      Effect.map(KeysetPage.newest(store, BankNumber, index, { equals: [value], fromMs, toMs, after, limit }), (rows) =>
        rows.map(({ createdAtMs, orderId }) => ({ orderId, cursor: { atMs: createdAtMs, key: orderId } }))
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

  return (criteria: Criteria, nowMs: number): Walk => {
    const { approvalCode, bankId, card, clientOrderId, email, lastFour, merchant, status, unknownForMs } = criteria
    if (merchant !== undefined && clientOrderId !== undefined) return one(merchant, clientOrderId)
    if (merchant !== undefined && card !== undefined) return cards(merchant, hashes(merchant, card))
    if (bankId !== undefined) return bankNumbers("processorTxId", bankId, criteria)
    if (approvalCode !== undefined) return bankNumbers("approvalCode", approvalCode, criteria)
    if (email !== undefined) return orders("customer", [EmailAddress.customer(email)], criteria)
    if (status === "unknown" || unknownForMs !== undefined)
      return unknowns(unknownForMs === undefined ? undefined : nowMs - unknownForMs)
    if (lastFour !== undefined) return orders("lastFour", [lastFour], criteria)
    return merchant === undefined ? orders("created", [], criteria) : orders("merchant", [merchant], criteria)
  }
})
