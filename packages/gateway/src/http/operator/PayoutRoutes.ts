/** `GET /operator/payouts?merchant=…&state=waiting`: what waits for a second person, as that person will be shown it. */
import { Effect } from "effect"
import * as WaitingPayouts from "../../payouts/WaitingPayouts.ts"
import * as ApprovalApi from "../ApprovalApi.ts"
import { json, pageOf, type Route, wrong } from "./Route.ts"

export const make = Effect.map(
  WaitingPayouts.make,
  (waiting): ReadonlyArray<Route> => [
    {
      method: "GET",
      path: "/operator/payouts",
      run: ({ query }) => {
        const merchant = query.get("merchant")
        const page = pageOf(query)
        if (merchant === null || query.get("state") !== "waiting" || page === undefined)
          return Effect.succeed(
            wrong("give merchant=…, state=waiting, a limit of up to 1000, and after: the next of a page")
          )
        return Effect.map(waiting(merchant, page.limit, page.after), (found) => json(200, ApprovalApi.toldAll(found)))
      }
    }
  ]
)
