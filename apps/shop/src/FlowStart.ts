/** Starts a durable flow of the toolkit, and reports whether a flow was started. */
import { CallbackInbox } from "@pay/flows/CallbackInbox"
import type { CustomerBrowser } from "@pay/flows/CustomerBrowser"
import type * as Flow from "@pay/flows/Flow"
import type { FlowEngine } from "@pay/flows/FlowEngine"
import * as FlowPayload from "@pay/flows/FlowPayload"
import type { PayClient } from "@pay/transport/PayClient"
import { Effect, Result } from "effect"
import type { Records } from "./Records.ts"

type Services = Records | CustomerBrowser | FlowEngine | PayClient

/** The identity of an order, which the payload contains. The inbox expects callbacks about it. */
interface Expected {
  readonly clientOrderId: string
  readonly endpointId: string
}

/** Returns the effect that starts the flow, or the problems of the payload. Nothing is stored or sent before the effect runs. */
export const prepare = <N extends string, P extends Flow.Fields, A extends Flow.Written, E extends Flow.Written>(
  flow: Flow.Flow<N, P, A, E, Services>,
  payload: Flow.Input<P> & Expected
) =>
  Result.map(FlowPayload.fit(flow, payload), () =>
    Effect.gen(function* () {
      const { clientOrderId, endpointId } = payload
      const { expect } = yield* CallbackInbox
      yield* Effect.orDie(expect({ clientOrderId, endpointId }))
      yield* Effect.orDie(flow.start(payload))
    })
  )

/** Returns whether a flow with this identity was started. */
export const isStarted = <N extends string, P extends Flow.Fields, A extends Flow.Written, E extends Flow.Written>(
  flow: Flow.Flow<N, P, A, E, Services>,
  key: string
) => Effect.isSuccess(flow.poll(key))
