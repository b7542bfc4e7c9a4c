/**
 * Finds bookings of an order that a restored copy lacks, when its merchant sends the order again. The order then adopts the
 * bookings and is not sent twice.
 */
import { Effect } from "effect"
import { refuse } from "../../kernel/Answer.ts"
import { Store } from "../../kernel/Store.ts"
import type { Order } from "../Order.ts"
import { OrderRequest } from "../OrderRequest.ts"
import * as Adoption from "./Adoption.ts"
import { BankBooking } from "./BankBooking.ts"
import { Restoration } from "./Restoration.ts"

/** Highest number of bookings of one order that are loaded. */
const maxBookings = 1000
/** Highest number of requests of one order that are loaded. */
const maxRequests = 10_000

export const make = Effect.gen(function* () {
  const store = yield* Store
  /** The gate has stored it at the start. */
  const startedAtMs = (yield* Effect.orDie(store.load(Restoration, ["latest"])))?.startedAtMs ?? undefined

  /** Returns the bookings under the merchant's number that no request here has; undefined if there are none. */
  const find = Effect.fnUntraced(function* (
    merchantId: string,
    clientOrderId: string,
    request: Adoption.AdoptableRequest
  ) {
    if (startedAtMs === undefined) return undefined
    const rowsOf = (login: string) =>
      store.find(BankBooking, "clientOrder", { equals: [login, clientOrderId], limit: maxBookings })
    const adoption = Adoption.adoption(yield* rowsOf(merchantId), request, startedAtMs)
    return adoption === undefined && Adoption.mayBelongToAnyMerchant(yield* rowsOf("")) ? "differs" : adoption
  })

  return {
    find,
    /** Calls {@link find}, and refuses when another amount, currency or operation was booked under this number. */
    orRefuse: Effect.fnUntraced(function* (
      merchantId: string,
      clientOrderId: string,
      request: Adoption.AdoptableRequest
    ) {
      const adoption = yield* find(merchantId, clientOrderId, request)
      if (adoption !== "differs") return adoption
      return yield* refuse("contentDiffers", {
        field: "client_orderid",
        clientOrderId,
        message:
          "client_orderid was already used with another amount, currency or operation, or for a payment whose merchant the bank does not name: ask the gateway's operator"
      })
    }),
    /** Returns the request of an order from before the restore that this request of the merchant takes over. */
    unclaimed: ({ createdAtMs, orderId }: Order, request: Adoption.FollowUpRequest) =>
      startedAtMs === undefined || createdAtMs > startedAtMs
        ? Effect.undefined
        : Effect.map(store.find(OrderRequest, "order", { equals: [orderId], limit: maxRequests }), (requests) =>
            Adoption.unclaimed(requests, request)
          )
  }
})
