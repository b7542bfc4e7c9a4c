/**
 * Flows of the toolkit as the shop runs them. The last step of each writes its outcome into the shop's records, and no file of
 * the shop holds card data, not even encrypted: number and expiry go to the first run of the flow and are then forgotten, like
 * the security code. Started again before the gateway had the order, the flow sends nothing: it asks for the order's status,
 * and without the order it ends with `NeverHappened`.
 */
import { CallbackInbox } from "@pay/flows/CallbackInbox"
import type { CardSale } from "@pay/flows/CardPayment"
import { Durable } from "@pay/flows/durable"
import * as Flow from "@pay/flows/Flow"
import * as FlowPayload from "@pay/flows/FlowPayload"
import * as Steps from "@pay/flows/Steps"
import { Effect, Redacted, Result, Schema } from "effect"
import type { Records } from "../Records.ts"

type P = Flow.Fields
type W = Flow.Written

/** Returns the flow with `record` as its last step. The step is repeated until it succeeds, also by the next process. */
export const make = <N extends string, F extends P, A extends W, E extends W, R>(
  flow: Flow.Flow<N, F, A, E, R>,
  record: (
    payload: Schema.Struct.Type<F>,
    end: Result.Result<A["Type"], E["Type"]>
  ) => Effect.Effect<boolean, never, Records>
) =>
  Flow.make({
    ...flow,
    run: Effect.fnUntraced(function* (payload) {
      const end = yield* Effect.result(flow.run(payload))
      yield* Steps.step("book", { success: Schema.Boolean, error: Schema.Never }, record(payload, end))
      return yield* Effect.fromResult(end)
    })
  })

/** Returns the flow with its encrypted fields among those that are never persisted. */
export const withCardInMemory = <
  F extends Pick<Flow.Flow<string, never, never, never, never>, "encryptedFields" | "neverPersisted">
>(
  flow: F
): F => ({ ...flow, neverPersisted: [...flow.neverPersisted, ...flow.encryptedFields], encryptedFields: [] })

const noCard = { creditCardNumber: Redacted.make(""), expireMonth: 1, expireYear: 2000 }

type CardFlow<N extends string> = Flow.Flow<
  N,
  typeof CardSale.payload.fields,
  typeof CardSale.success,
  typeof CardSale.error,
  Effect.Services<ReturnType<typeof CardSale.run>>
>

/** Returns a flow that also runs without its card fields, because a restart has lost them. */
export const withOptionalCard = <N extends string>(flow: CardFlow<N>) => {
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

/** How the shop starts a flow from a form, and learns whether it did. */
export const starter = <N extends string, F extends P, A extends W, E extends W, R>(
  flow: Flow.Flow<N, F, A, E, R>
) => ({
  /**
   * Reads the flow's payload from text: a form, and what the shop adds to it. Returns the effect that starts the flow, or the
   * problems of the fields. Other fields are left out.
   */
  read: (fields: Readonly<Record<string, string>>) => {
    const own = Object.entries(fields).filter(([name]) => name in flow.payload.fields)
    return Result.map(FlowPayload.decode(flow, Object.fromEntries(own)), (payload) =>
      Effect.gen(function* () {
        const { clientOrderId = "", endpointId } = fields
        const { expect } = yield* CallbackInbox
        const { start } = yield* Durable
        yield* Effect.orDie(expect({ clientOrderId, endpointId }))
        yield* Effect.orDie(start(flow, payload))
      })
    )
  },
  /** Returns whether the flow was started under this identity. */
  isStarted: (key: string) => Effect.flatMap(Durable, ({ result }) => Effect.isSuccess(result(flow, key)))
})
