/** Erasing card data and recipients at a person's request. */
import { Effect } from "effect"
import * as EraseCards from "../../retention/EraseCards.ts"
import { type Handlers, refuse } from "./OperatorHandler.ts"

export const make = Effect.map(
  EraseCards.make,
  ({ ofCardRef, ofOrder, ofSubscription }): Pick<Handlers, "eraseOrder" | "eraseCard" | "eraseSubscription"> => ({
    eraseOrder: ({ order }, actor) =>
      ofOrder(order, actor).pipe(Effect.as({ erased: `order:${order}` }), Effect.catchTag("EraseRefused", refuse)),
    eraseCard: ({ card }, actor) =>
      ofCardRef(card, actor).pipe(Effect.as({ erased: `card-ref:${card}` }), Effect.catchTag("EraseRefused", refuse)),
    eraseSubscription: ({ subscription }, actor) =>
      ofSubscription(subscription, actor).pipe(
        Effect.as({ erased: `subscription:${subscription}` }),
        Effect.catchTag("EraseRefused", refuse)
      )
  })
)
