/** What has its time: a request is not sent long after it was accepted, and a hold that is not captured does not stand for ever. */
import { type Booking, parse } from "@pay/gateway/Booking"
import { cardKinds, Order } from "@pay/gateway/entities/Order"
import { OrderRequest } from "@pay/gateway/entities/OrderRequest"
import * as Settings from "@pay/gateway/Settings"
import { BankTask } from "../../../packages/gateway/src/orders/outcomes/BankTask.ts"
import * as HoldTask from "../../../packages/gateway/src/orders/outcomes/HoldTask.ts"
import type { SimulationRun } from "../SimulationRun.ts"
import type { Check, Problems } from "./Check.ts"

const dayMs = 86_400_000
/** Any bank's longest processing time, and the longest wait for an answer. */
const underWayMs = 120_000

type RequestTimes = Pick<OrderRequest, "orderId" | "sequence" | "acceptedAtMs"> & {
  /** It is sent once its customer is authenticated, or until its security code is forgotten. */
  readonly isAuthenticated?: boolean
}
type Booked = Pick<Booking, "reference"> & { readonly bookedAtMs: number }

/** Requests that reached the bank so long after they were accepted that the merchant expects them no more. */
export const late = (bookings: ReadonlyArray<Booked>, requests: ReadonlyArray<RequestTimes>): Problems => {
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

type Hold = Pick<Order, "orderId" | "kind" | "state" | "released" | "authorizedMinor" | "capturedMinor" | "holdUntilMs">

/** Holds whose time went by long ago, without a task that says that the bank refuses to release them. */
export const forgotten = (
  orders: ReadonlyArray<Hold>,
  nowMs: number,
  isReported: (orderId: string) => boolean
): Problems =>
  orders.flatMap((order) => {
    const { authorizedMinor, capturedMinor, holdUntilMs, kind, orderId, released, state } = order
    const isHeld = kind === "preauth" && state === "authorized" && released === 0 && authorizedMinor > capturedMinor
    return isHeld && holdUntilMs !== null && holdUntilMs < nowMs - dayMs && !isReported(orderId)
      ? [`the hold of order ${orderId} ended ${new Date(holdUntilMs).toISOString()}, and was not released`]
      : []
  })

/** The gateway's time can be compared with the bank's. */
const hasRightClock = ({ counts }: SimulationRun): boolean =>
  counts["step gatewayJumps"] === undefined && counts["step gatewayDrifts"] === undefined

const isOfCards: ReadonlySet<string> = new Set(cardKinds)

export const inTime: Check = {
  name: "in time",
  what: "No request reaches the bank long after it was accepted, while the gateway's clock is right; and a hold without a capture is released when its time is over, or operators see that the bank refuses.",
  begin: (simulation) => ({
    atEnd: async () => {
      const { bank, committed, gateway, run } = simulation.world
      const requests = committed.rows(OrderRequest)
      const isReported = (orderId: string) => committed.row(BankTask, HoldTask.idOf(orderId)) !== undefined
      const bookings = hasRightClock(simulation) ? await run(bank.books.all) : []
      const orders = committed.rows(Order).filter(({ kind }) => isOfCards.has(kind))
      return [
        ...late(
          bookings.map(({ bookedAtMs, request: { reference } }) => ({ bookedAtMs, reference })),
          requests.map((request) => ({
            ...request,
            isAuthenticated: committed.row(Order, request.orderId)?.threeds === 1
          }))
        ),
        ...forgotten(orders, gateway.businessMs(), isReported)
      ]
    }
  })
}
