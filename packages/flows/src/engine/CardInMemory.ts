/**
 * Durable flows that store no card data, not even encrypted. Like the security code, card number and expiry are passed to the
 * first run of the flow and are not stored. A later run lacks them and sends no new order. It requests the status of the order,
 * and fails with `NeverHappened` if the order does not exist.
 */
import { Effect, Redacted, Schema, SchemaAST, Struct } from "effect"
import * as Flow from "./Flow.ts"

/** The values that replace lost required fields of the card. They are valid but belong to no card, and are never sent. */
const placeholders: Readonly<Record<string, unknown>> = {
  creditCardNumber: Redacted.make("1000000000000008", { label: "pan" }),
  expireMonth: 1,
  expireYear: 2000
}

interface CardFields extends Flow.Fields {
  readonly creditCardNumber: Flow.Fields[string]
  readonly expireMonth: Flow.Fields[string]
  readonly expireYear: Flow.Fields[string]
}

/**
 * Returns the flow with its encrypted fields among those that are never persisted, and with the fields of the card optional.
 *
 * ```ts
 * const cardSale = CardInMemory.make(CardSale)
 * const flows = cardSale.layer
 * ```
 */
export const make = <N extends string, P extends CardFields, A extends Flow.Written, E extends Flow.Written, R>(
  flow: Flow.Flow<N, P, A, E, R>
) => {
  const { fields } = flow.payload
  const isWhole = Schema.is(flow.payload)
  const required = Object.entries(placeholders).filter(([name]) => !isOptional(fields[name]))
  const wholeOf = (payload: object): Schema.Struct.Type<P> => {
    const whole = { ...Object.fromEntries(required), ...payload }
    if (isWhole(whole)) return whole
    throw new Error(`this is no payload of ${flow.name}`)
  }
  return Flow.make(
    {
      ...flow,
      payload: Schema.Struct(
        Struct.mapPick(fields, ["creditCardNumber", "expireMonth", "expireYear"], Schema.optionalKey)
      ),
      idempotencyKey: (payload) => flow.idempotencyKey(wholeOf(payload)),
      run: (payload) => Effect.suspend(() => flow.run(wholeOf(payload)))
    },
    { neverPersisted: [...flow.neverPersisted, ...flow.encryptedFields], encryptedFields: [] }
  )
}

const isOptional = (field: Flow.Fields[string] | undefined): boolean =>
  field === undefined || SchemaAST.isOptional(field.ast)
