/**
 * Holds the fields that are never stored until the first run of their flow on a cluster. They are in the memory of the runner
 * that will run it. They reach it in a message that is sent but not stored. They are encrypted like the stored fields. The first
 * run removes them, and otherwise they are dropped after a minute.
 */
import { Context, type Duration, Effect, Layer, Schema } from "effect"
import { Entity, type Sharding } from "effect/cluster"
import { Rpc } from "effect/rpc"

export class ClusterStarts extends Context.Service<
  ClusterStarts,
  {
    /**
     * Sends the fields of a call to the runner of the execution. If this fails, the first run lacks them, and nothing else changes.
     */
    readonly send: (executionId: string, sentBy: string, fields: Schema.Json) => Effect.Effect<void>
  }
>()("@pay/flows/durable/ClusterStarts") {}

/**
 * The entity that holds the fields of one execution. It is on the same runner as the execution, because the id alone selects the
 * shard.
 */
const StartEntity = Entity.make("PendingFields", [
  Rpc.make("hold", { payload: { sentBy: Schema.String, fields: Schema.Json } })
])

/** Time after which the fields are dropped. A flow that has not taken them by then was begun before, and runs without them. */
const longestHold: Duration.Input = "1 minute"
const sendTimeout: Duration.Input = "10 seconds"

export interface StartHolder {
  /** Returns the fields that this call has sent for an execution on this runner, and removes those of all calls. */
  readonly take: (executionId: string, sentBy: string) => Schema.Json | undefined
  readonly layer: Layer.Layer<ClusterStarts, never, Sharding.Sharding>
}

export const make = (): StartHolder => {
  const heldFields = new Map<string, Map<string, Schema.Json>>()
  const holder = StartEntity.toLayer(
    Effect.gen(function* () {
      const { entityId } = yield* Entity.CurrentAddress
      yield* Effect.addFinalizer(() => Effect.sync(() => heldFields.delete(entityId)))
      return StartEntity.of({
        hold: ({ payload: { fields, sentBy } }) =>
          Effect.sync(() => {
            heldFields.set(entityId, new Map(heldFields.get(entityId)).set(sentBy, fields))
          })
      })
    }),
    { maxIdleTime: longestHold }
  )
  const sender = Effect.map(StartEntity.client, (of) =>
    ClusterStarts.of({
      send: (executionId, sentBy, fields) =>
        of(executionId)
          .hold({ sentBy, fields })
          .pipe(Effect.timeout(sendTimeout), Effect.ignoreCause({ log: "Warn" }))
    })
  )
  return {
    take: (executionId, sentBy) => {
      const fields = heldFields.get(executionId)?.get(sentBy)
      heldFields.delete(executionId)
      return fields
    },
    layer: Layer.merge(holder, Layer.effect(ClusterStarts, sender))
  }
}
