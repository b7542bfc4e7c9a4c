/**
 * Finds bookings of an order that a restored copy lacks, when its merchant sends the order again. The order then adopts the
 * bookings and is not sent twice.
 */
import { Duration, Effect, Exit, Layer } from "effect"
import { Store } from "../kernel/Store.ts"
import type * as Register from "../orders/decide/Register.ts"
import { OrderRequest } from "../orders/record/OrderRequest.ts"
import { FormerOrders, type NewRequest } from "../orders/requests/FormerOrders.ts"
import * as Adoption from "./Adoption.ts"
import { BankBooking } from "./BankBooking.ts"
import { Restoration } from "./Restoration.ts"

/** Highest number of bookings of one order that are loaded. */
const maxBookings = 1000
/** Highest number of requests of one order that are loaded. */
const maxRequests = 10_000

export const make = Effect.gen(function* () {
  const store = yield* Store
  /** The gate has stored the time of the first start. A failure of the store is not kept. */
  const mark = yield* Effect.cachedWithTTL(store.load(Restoration, ["latest"]), (exit) =>
    Exit.isSuccess(exit) ? Duration.infinity : Duration.zero
  )
  const started = Effect.map(mark, (restoration) => restoration?.startedAtMs ?? undefined)

  const find = Effect.fnUntraced(function* (merchantId: string, clientOrderId: string, request: NewRequest) {
    const startedAtMs = yield* started
    if (startedAtMs === undefined) return undefined
    const rowsOf = (login: string) =>
      store.find(BankBooking, "clientOrder", { equals: [login, clientOrderId], limit: maxBookings })
    const adoption = Adoption.adoption(yield* rowsOf(merchantId), request, startedAtMs)
    if (adoption === undefined) return Adoption.mayBelongToAnyMerchant(yield* rowsOf("")) ? "differs" : undefined
    if (adoption === "differs") return adoption
    const bookings = yield* store.find(BankBooking, "order", { equals: [adoption.orderId], limit: maxBookings })
    return {
      ...adoption,
      complete: (registered: Register.Registered, nowMs: number) =>
        Adoption.withFollowUps(adoption.complete(registered, nowMs), bookings, nowMs)
    }
  })

  return FormerOrders.of({
    find,
    unclaimed: Effect.fnUntraced(function* ({ createdAtMs, orderId }, request) {
      const startedAtMs = yield* started
      if (startedAtMs === undefined || createdAtMs > startedAtMs) return undefined
      const requests = yield* store.find(OrderRequest, "order", { equals: [orderId], limit: maxRequests })
      return Adoption.unclaimed(requests, request)
    }),
    copied: Effect.map(mark, (restoration) => {
      if (restoration === undefined) return undefined
      const { lastCommitAtMs, restoredAtMs: atMs } = restoration
      return { atMs, afterMs: lastCommitAtMs === null ? undefined : Math.max(0, atMs - lastCommitAtMs) }
    })
  })
})

export const layer = Layer.effect(FormerOrders, make)
