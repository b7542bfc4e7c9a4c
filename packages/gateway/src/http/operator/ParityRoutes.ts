/** `GET` and `POST /operator/parity`: whether everything that is money adds up. */
import { Effect } from "effect"
import * as ParityJob from "../../usecases/ParityJob.ts"
import { actor, json, type Route, timeOrNull } from "./Route.ts"

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
      run: (asked) => Effect.map(begin(actor(asked)), (begun) => json(begun ? 202 : 409, told()))
    }
  ]
})
