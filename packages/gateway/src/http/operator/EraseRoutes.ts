/** `POST /operator/orders/{orderid}/erase`, `…/cards/{cardref}/erase`, `…/subscriptions/{id}/erase`: at a person's request. */
import { Effect } from "effect"
import * as EraseCards from "../../retention/EraseCards.ts"
import { actor, json, type Route } from "./Route.ts"

const refused = ({ message, what }: EraseCards.EraseRefused) =>
  Effect.succeed(json(what === "missing" ? 404 : 409, { error: message }))

export const make = Effect.map(
  EraseCards.make,
  ({ ofCardRef, ofOrder, ofSubscription }): ReadonlyArray<Route> => [
    {
      method: "POST",
      path: "/operator/orders/:order/erase",
      run: (asked) =>
        ofOrder(asked.params.order ?? "", actor(asked)).pipe(
          Effect.as(json(200, { erased: `order:${asked.params.order}` })),
          Effect.catchTag("EraseRefused", refused)
        )
    },
    {
      method: "POST",
      path: "/operator/cards/:card/erase",
      run: (asked) =>
        ofCardRef(asked.params.card ?? "", actor(asked)).pipe(
          Effect.as(json(200, { erased: `card-ref:${asked.params.card}` })),
          Effect.catchTag("EraseRefused", refused)
        )
    },
    {
      method: "POST",
      path: "/operator/subscriptions/:subscription/erase",
      run: (asked) =>
        ofSubscription(asked.params.subscription ?? "", actor(asked)).pipe(
          Effect.as(json(200, { erased: `subscription:${asked.params.subscription}` })),
          Effect.catchTag("EraseRefused", refused)
        )
    }
  ]
)
