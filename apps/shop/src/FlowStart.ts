/** Starts a durable flow of the toolkit from the fields of a form, and reports whether a flow was started. */
import { CallbackInbox } from "@pay/flows/CallbackInbox"
import type { CustomerBrowser } from "@pay/flows/CustomerBrowser"
import type * as Flow from "@pay/flows/Flow"
import * as FlowPayload from "@pay/flows/FlowPayload"
import type { PayClient } from "@pay/transport/PayClient"
import { Effect, Result } from "effect"
import type { Records } from "./Records.ts"

type Services = Records | CustomerBrowser | PayClient

export const of = <N extends string, P extends Flow.Fields, A extends Flow.Written, E extends Flow.Written>(
  flow: Flow.Flow<N, P, A, E, Services>
) => ({
  /**
   * Decodes the flow's payload from the fields of a form and the fields that the shop adds. Returns the effect that starts the
   * flow, or the problems of the fields. Fields that the payload does not have are ignored.
   */
  prepare: (fields: Readonly<Record<string, string>>) => {
    const own = Object.entries(fields).filter(([name]) => name in flow.payload.fields)
    return Result.map(FlowPayload.decode(flow, Object.fromEntries(own)), (payload) =>
      Effect.gen(function* () {
        const { clientOrderId = "", endpointId } = fields
        const { expect } = yield* CallbackInbox
        yield* Effect.orDie(expect({ clientOrderId, endpointId }))
        yield* Effect.orDie(flow.start(payload))
      })
    )
  },
  /** Returns whether a flow with this identity was started. */
  isStarted: (key: string) => Effect.isSuccess(flow.poll(key))
})
