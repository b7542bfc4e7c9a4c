/**
 * Durable flows that write no card data, not even encrypted. Card number and expiry go to the first run of the flow and are then
 * forgotten, like the security code. A run that has lost them sends no new order: it asks for the order's status, and without the
 * order the flow fails with `NeverHappened`.
 */
import { Effect, Redacted, Schema, SchemaAST, Struct } from "effect"
import * as Flow from "./Flow.ts"

/** What a run has in place of a required field that is lost: valid, but no card. It is never sent. */
const placeholders: Readonly<Record<string, unknown>> = {
  creditCardNumber: Redacted.make("0".repeat(16), { label: "pan" }),
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
 * const flows = Durable.flow(cardSale)
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
  const inMemory = Flow.make({
    ...flow,
    payload: Schema.Struct(
      Struct.mapPick(fields, ["creditCardNumber", "expireMonth", "expireYear"], Schema.optionalKey)
    ),
    idempotencyKey: (payload) => flow.idempotencyKey(wholeOf(payload)),
    run: (payload) => Effect.suspend(() => flow.run(wholeOf(payload)))
  })
  return { ...inMemory, neverPersisted: [...flow.neverPersisted, ...flow.encryptedFields], encryptedFields: [] }
}

const isOptional = (field: Flow.Fields[string] | undefined): boolean =>
  field === undefined || SchemaAST.isOptional(field.ast)
