/** How the shop starts a durable flow from a form, and learns whether it did. */
import { CallbackInbox } from "@pay/flows/CallbackInbox"
import { Durable } from "@pay/flows/durable"
import type * as Flow from "@pay/flows/Flow"
import * as FlowPayload from "@pay/flows/FlowPayload"
import { Effect, Result } from "effect"

export const of = <N extends string, P extends Flow.Fields, A extends Flow.Written, E extends Flow.Written, R>(
  flow: Flow.Flow<N, P, A, E, R>
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
