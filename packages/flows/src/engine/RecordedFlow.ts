/** Flows that write their outcome into the merchant's own records as their last step. */
import { Effect, type Result, Schema } from "effect"
import * as Flow from "./Flow.ts"
import * as HoldsOfFlow from "./HoldsOfFlow.ts"
import * as Steps from "./Steps.ts"

/** The name of the last step, as it is stored. */
const stepName = "record"

/**
 * Returns the flow with `record` as its last step. `record` gets the payload and how the flow ended. The flow ends only after
 * `record` has succeeded. A process that is killed before that repeats it in the next one, and a defect of `record` leaves a
 * durable flow stuck until it is resumed. So `record` may run more than once, but the steps before it do not.
 *
 * ```ts
 * const paid = RecordedFlow.make(CardSale, ({ clientOrderId }, end) => orders.setPaid(clientOrderId, Result.isSuccess(end)))
 * ```
 */
export const make = <N extends string, P extends Flow.Fields, A extends Flow.Written, E extends Flow.Written, R, R2>(
  flow: Flow.Flow<N, P, A, E, R>,
  record: (
    payload: Schema.Struct.Type<P>,
    end: Result.Result<A["Type"], E["Type"]>
  ) => Effect.Effect<unknown, never, R2>
) =>
  Flow.make(
    {
      ...flow,
      run: Effect.fnUntraced(function* (payload: Schema.Struct.Type<P>) {
        const holds = yield* HoldsOfFlow.HoldsOfFlow
        const run = flow.run(payload)
        const end = yield* Effect.result(holds === undefined ? run : HoldsOfFlow.concluded(flow, holds, run))
        yield* Steps.step(
          stepName,
          { success: Schema.Boolean, error: Schema.Never },
          Effect.as(record(payload, end), true)
        )
        return yield* Effect.fromResult(end)
      })
    },
    flow
  )
