/** Handles operations that erase card data at a person's request, and that re-encrypt everything under the current master key. */
import { Effect } from "effect"
import * as EraseCards from "../../retention/EraseCards.ts"
import * as EraseCustomer from "../../retention/EraseCustomer.ts"
import * as KeyRotation from "../../retention/KeyRotation.ts"
import { type Handlers, refuse, WithStatus } from "./OperatorHandler.ts"

type Served =
  | "eraseOrder"
  | "eraseCard"
  | "eraseSubscription"
  | "eraseCustomer"
  | "showKeyRotation"
  | "beginKeyRotation"

export const make = Effect.gen(function* () {
  const { ofCardRef, ofOrder, ofSubscription } = yield* EraseCards.make
  const ofCustomer = yield* EraseCustomer.make
  const { begin, look } = yield* KeyRotation.makeJob
  const handlers: Pick<Handlers, Served> = {
    eraseOrder: ({ order }, actor) =>
      ofOrder(order, actor).pipe(Effect.as({ erased: `order:${order}` }), Effect.catchTag("EraseRefused", refuse)),
    eraseCard: ({ card }, actor) =>
      ofCardRef(card, actor).pipe(Effect.as({ erased: `card-ref:${card}` }), Effect.catchTag("EraseRefused", refuse)),
    eraseCustomer: ({ after, email, merchant }, actor) => ofCustomer({ after, email, merchantId: merchant }, actor),
    eraseSubscription: ({ subscription }, actor) =>
      ofSubscription(subscription, actor).pipe(
        Effect.as({ erased: `subscription:${subscription}` }),
        Effect.catchTag("EraseRefused", refuse)
      ),
    showKeyRotation: () => look,
    beginKeyRotation: (_, actor) =>
      Effect.flatMap(begin(actor), (isStarted) =>
        Effect.map(look, (body) => new WithStatus(isStarted ? 202 : 409, body))
      )
  }
  return handlers
})
