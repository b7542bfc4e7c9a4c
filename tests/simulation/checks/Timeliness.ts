/** Deadlines: no request is sent long after it was accepted, and an uncaptured hold is released when it expires. */
import { type Booking, parse } from "@pay/gateway/BankBooks"
import { cardKinds, Order, OrderRequest } from "@pay/gateway/Entities"
import * as Settings from "@pay/gateway/Settings"
import * as HoldTask from "../../../gateway/gateway/src/orders/decide/HoldTask.ts"
import { lapseOperation } from "../../../gateway/gateway/src/orders/decide/RequestEnd.ts"
import { BankTask } from "../../../gateway/gateway/src/orders/record/BankTask.ts"
import { Occurrence } from "../../../gateway/gateway/src/recurring/decide/Subscription.ts"
import { BankBooking } from "../../../gateway/gateway/src/restore/BankBooking.ts"
import type { SimulationRun } from "../SimulationRun.ts"
import type { Check, Problems } from "./Check.ts"

const dayMs = 86_400_000
/** The longest processing time of a bank, and the longest wait for an answer. */
const underWayMs = 120_000

type RequestTimes = Pick<OrderRequest, "orderId" | "sequence" | "acceptedAtMs"> & {
  /** The request is sent after the authentication of its customer, while its security code is stored. */
  readonly isAuthenticated?: boolean
}
type BookedRequest = Pick<Booking, "reference"> & { readonly bookedAtMs: number }

/** Reports requests that reached the bank too long after they were accepted. */
export const late = (bookings: ReadonlyArray<BookedRequest>, requests: ReadonlyArray<RequestTimes>): Problems => {
  const accepted = new Map<string, RequestTimes>()
  for (const request of requests) {
    const key = `${request.orderId} ${request.sequence}`
    if (request.acceptedAtMs >= (accepted.get(key)?.acceptedAtMs ?? 0)) accepted.set(key, request)
  }
  const { resubmitWithinMs } = Settings.defaults
  return bookings.flatMap(({ bookedAtMs, reference }) => {
    const { orderId = "", sequence = 0 } = parse(reference) ?? {}
    const { acceptedAtMs = bookedAtMs, isAuthenticated = false } = accepted.get(`${orderId} ${sequence}`) ?? {}
    const maxMs = (isAuthenticated ? 2 : 1) * resubmitWithinMs + underWayMs
    return bookedAtMs - acceptedAtMs <= maxMs
      ? []
      : [`${reference} reached the bank ${Math.round((bookedAtMs - acceptedAtMs) / 1000)} s after it was accepted`]
  })
}

type Hold = Pick<Order, "orderId" | "kind" | "state" | "authorizedMinor" | "capturedMinor" | "holdUntilMs">

/** Reports expired holds without a task about the bank's refusal to release them. */
export const unreleased = (
  orders: ReadonlyArray<Hold>,
  nowMs: number,
  isReported: (orderId: string) => boolean
): Problems =>
  orders.flatMap((order) => {
    const { authorizedMinor, capturedMinor, holdUntilMs, kind, orderId, state } = order
    const isHeld = kind === "preauth" && state === "authorized" && authorizedMinor > capturedMinor
    return isHeld && holdUntilMs !== null && holdUntilMs < nowMs - dayMs && !isReported(orderId)
      ? [`the hold of order ${orderId} ended ${new Date(holdUntilMs).toISOString()}, and was not released`]
      : []
  })

type Lapse = Pick<OrderRequest, "orderId" | "operation" | "sequence">

/** Longest time by which the gateway's time may be ahead of the bank's: a start within a day of the last commit trusts its clock. */
const uncertainMs = 2 * dayMs

/** Reports holds that the bank released for the gateway's lapse before they ended, and charges that it booked before their day. */
export const early = (
  bookings: ReadonlyArray<BookedRequest>,
  holds: ReadonlyArray<Pick<Order, "orderId" | "holdUntilMs">>,
  lapses: ReadonlyArray<Lapse>,
  occurrences: ReadonlyArray<Pick<Occurrence, "orderId" | "day">>
): Problems => {
  const lapsed = new Set(lapses.map(({ orderId, sequence }) => `${orderId} ${sequence}`))
  const endOf = new Map(holds.map(({ holdUntilMs, orderId }) => [orderId, holdUntilMs]))
  const dayOf = new Map(occurrences.map(({ day, orderId }) => [orderId, day]))
  return bookings.flatMap(({ bookedAtMs, reference }) => {
    const { kind, orderId = "", sequence } = parse(reference) ?? {}
    const holdUntilMs = kind === "void" && lapsed.has(`${orderId} ${sequence}`) ? endOf.get(orderId) : undefined
    const day = dayOf.get(orderId)
    const dueMs = holdUntilMs ?? (day === undefined ? bookedAtMs : Date.parse(day))
    return bookedAtMs >= dueMs - uncertainMs
      ? []
      : [`${reference} was booked ${Math.round((dueMs - bookedAtMs) / dayMs)} days before its time`]
  })
}

/** Whether the gateway's time can be compared with the bank's. */
const hasRightClock = ({ counts }: SimulationRun): boolean =>
  counts["step gatewayClockJump"] === undefined && counts["step gatewayClockDrift"] === undefined

const isOfCards: ReadonlySet<string> = new Set(cardKinds)

export const deadlines: Check = {
  name: "deadlines",
  what: "While the gateway's clock is right, no request reaches the bank long after it was accepted. An uncaptured hold is released when it expires, or operators see that the bank refuses. Whatever the clock says, no hold is released and nothing is charged days before its time.",
  begin: (simulation) => ({
    atEnd: async () => {
      const { bank, committed, gateway, run } = simulation.system
      const requests = committed.rows(OrderRequest)
      const isReported = (orderId: string) => committed.row(BankTask, HoldTask.idOf(orderId)) !== undefined
      const all = (await run(bank.books.all)).map(({ bookedAtMs, request: { reference } }) => ({
        bookedAtMs,
        reference
      }))
      const bookings = hasRightClock(simulation) ? all : []
      const adopted = new Set<string | null>(committed.rows(BankBooking).map(({ orderId }) => orderId))
      const orders = committed.rows(Order).filter(({ kind }) => isOfCards.has(kind))
      return [
        ...late(
          bookings,
          requests.map((request) => ({
            ...request,
            isAuthenticated: committed.row(Order, request.orderId)?.hasAuthentication === 1
          }))
        ),
        ...early(
          all,
          orders,
          requests.filter(({ operation }) => operation === lapseOperation),
          // A recurring payment that is sent again after a restore begins anew, with the charge that was made before.
          committed.rows(Occurrence).filter(({ n, orderId }) => n > 0 || !adopted.has(orderId))
        ),
        ...unreleased(orders, gateway.businessMs(), isReported)
      ]
    }
  })
}
