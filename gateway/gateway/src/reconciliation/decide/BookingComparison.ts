/**
 * Compares the bookings of the bank or the rail with the orders here, in both directions: pure. Only approved bookings
 * moved money. A request in flight is compared when the longest processing time of the bank or the rail is over.
 */
import * as Money from "@pay/schema/Money"
import * as Unexpected from "../../orders/decide/Unexpected.ts"
import * as Actions from "../../orders/record/Actions.ts"
import * as Booking from "../../orders/record/Booking.ts"
import type { Order } from "../../orders/record/Order.ts"
import { isOwn, type OrderRequest, referenceOf } from "../../orders/record/OrderRequest.ts"
import type { Finding } from "./OrderComparison.ts"

/** The source of a list of bookings. */
export type Source = "bank" | "rail"

/** A list of bookings: its source, and the name that findings give it. */
export interface ListName {
  readonly source: Source
  /** `bank`, `rail`, or `acquirer NAME`. */
  readonly title: string
}

/** Returns a booking at an acquirer whose order is another acquirer's as a difference. */
export const ofAnother = ({ title }: ListName, booking: Booking.Booking, own: string): Finding => ({
  where: `booking ${booking.reference} at the ${title}`,
  expected: `a booking at the ${own}`,
  actual: describe(booking)
})

const describe = ({ amountMinor, clientOrderId, currency, kind }: Booking.Booking): string =>
  `${kind} of ${Money.fromMinor(amountMinor, currency)} ${currency}${clientOrderId === undefined ? "" : `, client_orderid ${clientOrderId}`}`

/**
 * Returns the contradiction between a booking and its request. Undefined: there is none, or the request is still in
 * flight.
 */
export const contradiction = (
  booking: Booking.Booking,
  order: Order | undefined,
  requests: ReadonlyArray<OrderRequest>
): Unexpected.Contradiction | undefined => {
  const parsed = Booking.parse(booking.reference)
  if (booking.result !== "approved" || order === undefined || parsed === undefined) return undefined
  // A verification moves no money, so it contradicts nothing.
  if (parsed.kind === "verify") return undefined
  const ownRequests = requests.filter((request) => isOwn(parsed, request))
  const request = ownRequests.find((each) => !Unexpected.isOpen(each))
  if (request === undefined || order.currency !== booking.currency) return undefined
  const isFollowed = ownRequests.some(({ progress }) => progress === "approved")
  const isUnreleased = parsed.kind === "void" && Unexpected.isUnreleased({ order, request }, ownRequests)
  return isFollowed && !isUnreleased ? undefined : { booking, order, request }
}

/** Whether the bank returned money without a request of the order. A task may have requested it. */
export const isUnrequestedReversal = (
  booking: Booking.Booking,
  order: Order,
  requests: ReadonlyArray<OrderRequest>
): boolean => {
  const parsed = Booking.parse(booking.reference)
  return (
    parsed !== undefined &&
    booking.result === "approved" &&
    Unexpected.returns.has(parsed.kind) &&
    order.currency === booking.currency &&
    !requests.some((request) => isOwn(parsed, request))
  )
}

/** Whether all requests with the number of the booking are without an outcome. */
export const isOpen = (booking: Booking.Booking, requests: ReadonlyArray<OrderRequest>): boolean => {
  const parsed = Booking.parse(booking.reference)
  const own = parsed === undefined ? [] : requests.filter((request) => isOwn(parsed, request))
  return own.length > 0 && own.every(Unexpected.isOpen)
}

/**
 * Returns the differences between a booking and the rows here. It must have an order in its currency, with a request of
 * the same number, amount and outcome.
 */
export const ofBooking = (
  { title }: ListName,
  booking: Booking.Booking,
  order: Order | undefined,
  requests: ReadonlyArray<OrderRequest>
): ReadonlyArray<Finding> => {
  if (booking.result !== "approved") return []
  const where = `booking ${booking.reference} at the ${title}`
  const description = describe(booking)
  const parsed = Booking.parse(booking.reference)
  if (order === undefined || parsed === undefined) return [{ where, expected: "an order", actual: description }]
  if (order.currency !== booking.currency) return [{ where, expected: order.currency, actual: description }]
  const ownRequests = requests.filter((request) => isOwn(parsed, request))
  if (ownRequests.length === 0) return [{ where, expected: `a request of order ${order.orderId}`, actual: description }]
  if (ownRequests.every(Unexpected.isOpen)) {
    // A verification moves no money.
    if (parsed.kind === "verify") return []
    const todo = `the gateway still inquires; if it does not end, resolve it: pay orders resolve ${order.orderId}`
    return [{ where, expected: ownRequests[0]?.progress ?? "unknown", actual: `${description}: ${todo}` }]
  }
  const other = contradiction(booking, order, requests)
  if (other !== undefined) return [{ where, expected: other.request.progress, actual: "approved" }]
  // The amount of a release is whatever is left of the hold; the order's totals check it.
  const amounts = parsed.kind === "void" ? [booking.amountMinor] : ownRequests.map(({ amountMinor }) => amountMinor)
  return amounts.includes(booking.amountMinor)
    ? []
    : [{ where, expected: Money.fromMinor(amounts[0] ?? 0, order.currency), actual: description }]
}

/** Returns a row of a list that is no booking as a difference: it may be one of our bookings. */
export const unreadable = ({ title }: ListName, { problem, reference, row }: Booking.UnreadableRow): Finding => ({
  where: `row ${row} of a page of the ${title}'s list${reference === undefined ? "" : `, ${reference}`}`,
  expected: "a booking",
  actual: problem
})

/** Returns a second approval under the same reference as a difference: the bank may have moved the money twice. */
export const repeated = ({ title }: ListName, booking: Booking.Booking): Finding => ({
  where: `booking ${booking.reference} at the ${title}`,
  expected: "one booking",
  actual: `again ${describe(booking)}`
})

/** Returns listed bookings outside of the period that was asked for as one difference: their times may be wrong, as in seconds. */
export const outside = (
  { title }: ListName,
  [first, ...others]: ReadonlyArray<Booking.Booking>
): ReadonlyArray<Finding> =>
  first === undefined
    ? []
    : [
        {
          where: `the ${title}'s list`,
          expected: "only bookings of the period that was asked for, with times in milliseconds",
          actual: `${1 + others.length} others, the first ${first.reference} at ${first.atMs}`
        }
      ]

/** Returns the requests whose approval must be booked, and was recorded here in the period. */
export const toBeListed = (
  source: Source,
  requests: ReadonlyArray<OrderRequest>,
  period: Booking.Period
): ReadonlyArray<OrderRequest> =>
  requests.filter(({ acceptedAtMs, action, amountMinor, finishedAtMs, progress }) => {
    const atMs = finishedAtMs ?? acceptedAtMs
    const { listed, of } = Actions.facts[action]
    return (
      progress === "approved" &&
      listed &&
      of === source &&
      (amountMinor > 0 || action === "void") &&
      period.fromMs <= atMs &&
      atMs < period.toMs
    )
  })

/** Returns the finding about an approved request that the lists lack. */
export const notListed = ({ title }: ListName, request: OrderRequest): Finding => ({
  where: `booking ${referenceOf(request)} at the ${title}`,
  expected: "approved",
  actual: "no such booking"
})
