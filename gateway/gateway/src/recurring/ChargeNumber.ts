/**
 * The number of the order that charges an occurrence. It is made of the recurring payment and the number of the occurrence, so that
 * two copies of a store send one charge under one reference, and the bank makes it once
 * (docs/assumptions.md#scheduled-charges).
 *
 * A long number is derived. A short number has too few digits for that: the numbers of many occurrences are reserved together, and a
 * copy has the same ones.
 */
import { Effect } from "effect"
import * as Ids from "../kernel/Ids.ts"
import { Store } from "../kernel/Store.ts"
import { Directory } from "../merchants/Directory.ts"
import { Order } from "../orders/record/Order.ts"
import { OrderNumbers } from "../orders/requests/OrderNumbers.ts"
import * as BillingDecisions from "./decide/BillingDecisions.ts"
import type { Subscription } from "./decide/Subscription.ts"

/** Number of occurrences whose short numbers are reserved together: five years of a monthly recurring payment. */
export const reservedAtOnce = 60

export type Reserved = Pick<Subscription, "chargeNumberBase" | "chargeNumbersUntil">

/** Returns the columns of numbers that begin with `first`, for the occurrences from `next` on. */
export const reserved = (first: number | undefined, next: number): Reserved => ({
  chargeNumberBase: first === undefined ? null : first - next,
  chargeNumbersUntil: first === undefined ? null : next + reservedAtOnce
})

type Identity = Pick<Subscription, "subscriptionId" | "createdAtMs" | "next">

/** Returns the long number of the next occurrence. `attempt`: how many of these numbers other orders have. */
const derived = ({ createdAtMs, next, subscriptionId }: Identity, attempt = 0): string =>
  Ids.derived([subscriptionId, createdAtMs, next, attempt].join(":"))

/** Returns the reserved number of the next occurrence; undefined if there is none. */
const shortOf = ({ chargeNumberBase, chargeNumbersUntil, next }: Subscription): string | undefined =>
  chargeNumberBase === null || chargeNumbersUntil === null || next >= chargeNumbersUntil
    ? undefined
    : String(chargeNumberBase + next)

export const make = Effect.gen(function* () {
  const store = yield* Store
  const numbers = yield* OrderNumbers
  const directory = yield* Directory

  const long = Effect.fnUntraced(function* (subscription: Subscription) {
    for (let attempt = 0; ; attempt += 1) {
      const orderId = derived(subscription, attempt)
      const order = yield* store.load(Order, [orderId])
      if (order === undefined || order.clientOrderId === BillingDecisions.clientOrderIdOf(subscription)) return orderId
    }
  })

  /** Returns the number of the next occurrence's order, and the recurring payment with the numbers that are reserved for it. */
  const next = Effect.fnUntraced(function* (subscription: Subscription) {
    const existing = shortOf(subscription)
    if (existing !== undefined) return { orderId: existing, subscription }
    const first = yield* numbers.reserve(subscription.merchantId, reservedAtOnce)
    return first === undefined
      ? { orderId: yield* long(subscription), subscription }
      : { orderId: String(first), subscription: { ...subscription, ...reserved(first, subscription.next) } }
  })

  /** Returns the number of the next occurrence's order, as another copy of the store has it; undefined if no copy needs to have it. */
  const numberInCopies = Effect.fnUntraced(function* (subscription: Subscription) {
    const existing = shortOf(subscription)
    if (existing !== undefined) return existing
    const isShort = directory.merchant(subscription.merchantId)?.hasShortNumbers === true
    return isShort ? undefined : yield* long(subscription)
  })

  return { next, numberInCopies }
})
