/** A flow that is about to begin, to be run in memory or on a durable engine. */
import { assert } from "@effect/vitest"
import type { CustomerBrowser } from "@pay/flows/CustomerBrowser"
import * as Durable from "@pay/flows/durable"
import * as Cipher from "@pay/flows/durable/Cipher"
import * as Cluster from "@pay/flows/durable/Cluster"
import type * as Flow from "@pay/flows/Flow"
import type { FlowEngine } from "@pay/flows/FlowEngine"
import type { ExecuteError, FlowError } from "@pay/flows/FlowError"
import type { Operation } from "@pay/schema/Operation"
import type { PayClient } from "@pay/transport/PayClient"
import { Duration, Effect, Layer, Redacted, type Schema } from "effect"
import { runner } from "../../packages/flows/test/engines/Engines.ts"
import { clientOrderId } from "./Requests.ts"

export interface PreparedRun {
  readonly clientOrderId: string
  /** The one that moves money: faults meet its requests. */
  readonly operation: Operation
  /** In memory; may be run more than once. Gives the status, as all of these. */
  readonly program: Effect.Effect<string, FlowError | ExecuteError, FlowEngine | PayClient | CustomerBrowser>
  /** An engine that knows the flow, on this file. */
  readonly engine: (path: string) => Layer.Layer<FlowEngine, never, PayClient | CustomerBrowser>
  /** An engine that knows the flow, on Effect's cluster with one runner and this file. */
  readonly cluster: (path: string) => Layer.Layer<FlowEngine, never, PayClient | CustomerBrowser>
  /** Starts the flow on the engine, or starts it again. */
  readonly start: Effect.Effect<unknown, never, FlowEngine | PayClient | CustomerBrowser>
  /** Ends the flow on the engine at its next wait. */
  readonly interrupt: Effect.Effect<void, never, FlowEngine | PayClient | CustomerBrowser>
  /** How the flow ended on the engine: the status of its result, or the tag of its error. */
  readonly ended: Effect.Effect<string, never, FlowEngine | PayClient | CustomerBrowser>
}

/** Under which every engine seals. */
export const key = Redacted.make(Buffer.alloc(32, 3).toString("base64"))
/** Nothing jumps there: its clocks ring when they are due. */
const tickMs = 86_400_000
/** One runner, which has no reason to look but the ends of pauses: each look of its own would be a step of the business time. */
const quietCluster: Parameters<typeof runner>[1] = {
  ...{ shardsPerGroup: 4, entityMessagePollInterval: Duration.hours(1), refreshAssignmentsInterval: Duration.days(1) },
  ...{ runnerHealthCheckInterval: Duration.days(1), shardLockRefreshInterval: Duration.days(1) },
  shardLockExpiration: Duration.days(3)
}

const operationOf = ({ name, operation }: { readonly name: string; readonly operation?: Operation }): Operation => {
  assert(operation !== undefined, `${name} says which operation it carries out`)
  return operation
}

/** `tell`: what it gives, as the status of an order. */
export const preparedRunAs = <
  N extends string,
  P extends Flow.Fields,
  A extends Flow.Written,
  E extends Schema.Codec<FlowError | ExecuteError, unknown>
>(
  flow: Flow.Flow<N, P, A, E, FlowEngine | PayClient | CustomerBrowser>,
  payload: Schema.Struct.Type<P>,
  tell: (value: A["Type"]) => string
): PreparedRun => ({
  clientOrderId,
  operation: operationOf(flow),
  program: Effect.map(flow.execute(payload), tell),
  engine: (path) =>
    Layer.unwrap(
      // The file of a killed process is copied for the next one.
      Effect.map(Cipher.make({ key }), (cipher) =>
        flow.layer.pipe(Layer.provideMerge(Durable.layer({ path, origin: "moved", cipher, tickMs })))
      )
    ).pipe(Layer.orDie),
  cluster: (path) =>
    Layer.unwrap(
      Effect.map(Cipher.make({ key }), (cipher) =>
        flow.layer.pipe(Layer.provideMerge(Cluster.layer({ cipher })), Layer.provide(runner(path, quietCluster)))
      )
    ).pipe(Layer.orDie),
  start: Effect.orDie(flow.start(payload)),
  interrupt: Effect.orDie(flow.interrupt(flow.idempotencyKey(payload))),
  ended: Effect.map(Effect.orDie(flow.ended(flow.idempotencyKey(payload))), (flowStatus) => {
    if (flowStatus._tag === "Succeeded") return tell(flowStatus.value)
    return flowStatus._tag === "Failed" ? flowStatus.error._tag : flowStatus._tag
  })
})

export const preparedRun = <
  N extends string,
  P extends Flow.Fields,
  A extends Schema.Codec<{ readonly status: string }, unknown>,
  E extends Schema.Codec<FlowError | ExecuteError, unknown>
>(
  flow: Flow.Flow<N, P, A, E, FlowEngine | PayClient | CustomerBrowser>,
  payload: Schema.Struct.Type<P>
): PreparedRun => preparedRunAs(flow, payload, ({ status }) => status)
