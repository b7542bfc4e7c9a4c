/** What has its time: a request is not sent long after it was accepted, and a hold that nobody captures does not stand for ever. */

import { type Booking, parse } from "@pay/gateway/Booking"
import { Authentication } from "@pay/gateway/entities/Authentication"
import { cardKinds, Order } from "@pay/gateway/entities/Order"
import { OrderRequest } from "@pay/gateway/entities/OrderRequest"
import * as Settings from "@pay/gateway/Settings"
import { BankTask } from "../../../packages/gateway/src/domain/entities/BankTask.ts"
import * as HoldTask from "../../../packages/gateway/src/domain/HoldTask.ts"
import type { Life } from "../Life.ts"
import type { Check, Problems } from "./Check.ts"

const dayMs = 86_400_000
/** Any bank's longest processing time, and the longest wait for an answer. */
const underWayMs = 120_000

type Asked = Pick<OrderRequest, "orderId" | "sequence" | "acceptedAtMs">
type Booked = Pick<Booking, "reference"> & { readonly bookedAtMs: number }

/** The customer's time at the issuer, and that of a gateway which stands still meanwhile, have limits of their own. */
const authenticationMs = 3_600_000

/** Requests that reached the bank so long after they were accepted that nobody expects them any more. */
export const late = (
  bookings: ReadonlyArray<Booked>,
  requests: ReadonlyArray<Asked>,
  isAuthenticated: (orderId: string) => boolean
): Problems => {
  const accepted = new Map<string, number>()
  for (const { acceptedAtMs, orderId, sequence } of requests) {
    const key = `${orderId} ${sequence}`
    accepted.set(key, Math.max(acceptedAtMs, accepted.get(key) ?? 0))
  }
  const mostMs = Settings.defaults.resubmitWithinMs + underWayMs
  return bookings.flatMap(({ bookedAtMs, reference }) => {
    const { orderId = "", sequence = 0 } = parse(reference) ?? {}
    const acceptedAtMs = accepted.get(`${orderId} ${sequence}`)
    const limitMs = mostMs + (isAuthenticated(orderId) ? authenticationMs : 0)
    return acceptedAtMs === undefined || bookedAtMs - acceptedAtMs <= limitMs
      ? []
      : [`${reference} reached the bank ${Math.round((bookedAtMs - acceptedAtMs) / 1000)} s after it was accepted`]
  })
}

type Hold = Pick<Order, "orderId" | "kind" | "state" | "released" | "authorizedMinor" | "capturedMinor" | "holdUntilMs">

/** Holds whose time went by long ago, and which operators were not told that the bank refuses to release. */
export const forgotten = (orders: ReadonlyArray<Hold>, nowMs: number, isTold: (orderId: string) => boolean): Problems =>
  orders.flatMap((order) => {
    const { authorizedMinor, capturedMinor, holdUntilMs, kind, orderId, released, state } = order
    const isHeld = kind === "preauth" && state === "authorized" && released === 0 && authorizedMinor > capturedMinor
    return isHeld && holdUntilMs !== null && holdUntilMs < nowMs - dayMs && !isTold(orderId)
      ? [`the hold of order ${orderId} ended ${new Date(holdUntilMs).toISOString()}, and was not released`]
      : []
  })

/** The gateway's time can be compared with the bank's. */
const hasRightClock = ({ counts }: Life): boolean =>
  counts["step gatewayJumps"] === undefined && counts["step gatewayDrifts"] === undefined

const isOfCards: ReadonlySet<string> = new Set(cardKinds)

export const inTime: Check = {
  name: "in time",
  what: "No request reaches the bank long after it was accepted, while the gateway's clock is right; and a hold that nobody captures is released when its time is over, or operators are told that the bank refuses.",
  begin: (life) => ({
    atEnd: async () => {
      const { bank, committed, gateway, run } = life.world
      const requests = committed.rows(OrderRequest)
      const isTold = (orderId: string) => committed.row(BankTask, HoldTask.idOf(orderId)) !== undefined
      const bookings = hasRightClock(life) ? await run(bank.books.all) : []
      const orders = committed.rows(Order).filter(({ kind }) => isOfCards.has(kind))
      return [
        ...late(
          bookings.map(({ bookedAtMs, request: { reference } }) => ({ bookedAtMs, reference })),
          requests,
          (orderId) => committed.row(Authentication, orderId) !== undefined
        ),
        ...forgotten(orders, gateway.businessMs(), isTold)
      ]
    }
  })
}
