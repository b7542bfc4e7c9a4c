/**
 * Flows of which no file of the shop holds card data, not even encrypted: number and expiry go to the first run of the flow and
 * are then forgotten, like the security code. Started again before the gateway had the order, the flow sends nothing: it asks
 * for the order's status, and without the order it ends with `NeverHappened`.
 */
import type { CardSale } from "@pay/flows/CardPayment"
import * as Flow from "@pay/flows/Flow"
import { type Effect, Redacted, Schema } from "effect"

/** Returns the flow with its encrypted fields among those that are never persisted. */
export const withCardInMemory = <
  F extends Pick<Flow.Flow<string, never, never, never, never>, "encryptedFields" | "neverPersisted">
>(
  flow: F
): F => ({ ...flow, neverPersisted: [...flow.neverPersisted, ...flow.encryptedFields], encryptedFields: [] })

type CardFields = typeof CardSale.payload.fields
type Services = Effect.Services<ReturnType<typeof CardSale.run>>

const noCard = { creditCardNumber: Redacted.make(""), expireMonth: 1, expireYear: 2000 }

/** Returns a flow that also runs without its card fields, because a restart has lost them. */
export const withOptionalCard = <N extends string>(
  flow: Flow.Flow<N, CardFields, typeof CardSale.success, typeof CardSale.error, Services>
) => {
  const { creditCardNumber, destinationCardNo: _, expireMonth, expireYear, ...fields } = flow.payload.fields
  const card = {
    creditCardNumber: Schema.optionalKey(creditCardNumber),
    expireMonth: Schema.optionalKey(expireMonth),
    expireYear: Schema.optionalKey(expireYear)
  }
  return Flow.make({
    ...flow,
    payload: Schema.Struct({ ...fields, ...card }),
    idempotencyKey: ({ clientOrderId }) => clientOrderId,
    run: (payload) => flow.run({ ...noCard, ...payload })
  })
}
