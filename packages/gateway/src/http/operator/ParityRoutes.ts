/** `GET` and `POST /operator/parity`: whether everything that is money adds up, in all or in a period (`?from=&to=`). */
import { Effect } from "effect"
import type { Period } from "../../orders/Booking.ts"
import * as ParityJob from "../../reconciliation/ParityJob.ts"
import { actor, json, type Route, timeOf, timeOrNull, wrong } from "./Route.ts"

const periodOf = (query: URLSearchParams): Period | undefined | "wrong" => {
  const fromMs = timeOf(query.get("from"))
  const toMs = timeOf(query.get("to"))
  if (fromMs === undefined && toMs === undefined) return undefined
  return typeof fromMs === "number" && typeof toMs === "number" && fromMs < toMs ? { fromMs, toMs } : "wrong"
}

export const make = Effect.map(ParityJob.make, ({ begin, look }): ReadonlyArray<Route> => {
  const told = () => {
    const { endedAtMs, ...seen } = look()
    return { ...seen, ended: timeOrNull(endedAtMs) }
  }
  return [
    { method: "GET", path: "/operator/parity", run: () => Effect.sync(() => json(200, told())) },
    {
      method: "POST",
      path: "/operator/parity",
      run: (asked) => {
        const period = periodOf(asked.query)
        return period === "wrong"
          ? Effect.succeed(wrong("from and to are times (2026-11-21T00:00:00Z), given together"))
          : Effect.map(begin(actor(asked), period), (begun) => json(begun ? 202 : 409, told()))
      }
    }
  ]
})
