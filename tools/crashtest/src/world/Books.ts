/** What the books of the bank and of the payout rail have of one order. */
import type { SandboxControl } from "@pay/sandbox/SandboxControl"
import { Effect } from "effect"
import type { Booked, Charge } from "../plan/Payment.ts"
import { recurringOf } from "./OpenOrders.ts"

type Books = Pick<SandboxControl["Service"]["books"], "ofOrder">
type Booking = Effect.Success<ReturnType<Books["ofOrder"]>>[number]

/** Adds up the approved bookings of one order of the gateway. `undefined`: the bank approved no payment. */
const chargeOf = (bookings: ReadonlyArray<Booking>): Charge | undefined => {
  const approved = bookings.flatMap(({ answer, request }) => (answer._tag === "Approved" ? [request] : []))
  const first = approved.find(({ amountMinor, kind }) => kind === "authorize" && amountMinor > 0)
  if (first === undefined) return undefined
  const amounts = (isMeant: (request: Booking["request"]) => boolean) =>
    approved.filter(isMeant).map(({ amountMinor }) => amountMinor)
  const sum = (isMeant: (request: Booking["request"]) => boolean) =>
    amounts(isMeant).reduce((total, amountMinor) => total + amountMinor, 0)
  const laterCapturedMinor = sum(({ kind }) => kind === "capture")
  const releasedMinor = sum(({ kind }) => kind === "void")
  const recurring = recurringOf(first.clientOrderId)
  const authorizedMinor = sum(({ capture, kind }) => kind === "authorize" && capture !== true)
  return {
    orderId: first.orderId,
    clientOrderId: first.clientOrderId,
    capturedMinor: laterCapturedMinor + sum(({ capture, kind }) => kind === "authorize" && capture === true),
    heldMinor: authorizedMinor - laterCapturedMinor - releasedMinor,
    releasedMinor,
    refundsMinor: amounts(({ kind }) => kind === "refund"),
    ...(recurring === undefined ? {} : { recurring })
  }
}

const paidOut = ({ answer, lateRefusal, request }: Booking): ReadonlyArray<number> =>
  request.kind === "pay" && answer._tag === "Approved" && lateRefusal === undefined ? [request.amountMinor] : []

/** Reads the books for the orders with these numbers. `inward` returns the shop's name of an order for the bank's. */
export const read = (
  { bank, rail }: { readonly bank: Books; readonly rail: Books },
  orderIds: ReadonlySet<string>,
  inward: (clientOrderId: string) => string
): Effect.Effect<Booked> =>
  Effect.gen(function* () {
    const charges: Array<Charge> = []
    const payoutsMinor: Array<number> = []
    for (const orderId of orderIds) {
      const charge = chargeOf(yield* bank.ofOrder(orderId))
      if (charge !== undefined) charges.push({ ...charge, clientOrderId: inward(charge.clientOrderId) })
      payoutsMinor.push(...(yield* rail.ofOrder(orderId)).flatMap(paidOut))
    }
    return { charges, payoutsMinor }
  })
