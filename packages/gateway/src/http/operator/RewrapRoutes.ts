/** `GET` and `POST /operator/rewrap`: everything sealed under an older master key, brought under the current one. */
import { Effect } from "effect"
import * as Rewrap from "../../retention/Rewrap.ts"
import { actor, json, type Route } from "./Route.ts"

export const make = Effect.map(
  Rewrap.makeJob,
  ({ begin, look }): ReadonlyArray<Route> => [
    { method: "GET", path: "/operator/rewrap", run: () => Effect.sync(() => json(200, look())) },
    {
      method: "POST",
      path: "/operator/rewrap",
      run: (asked) => Effect.map(begin(actor(asked)), (begun) => json(begun ? 202 : 409, look()))
    }
  ]
)
