/** The registry of durable flows. The layer that provides it decides which engine runs them. */
import { Context, Effect, Layer } from "effect"
import type * as Flow from "../Flow.ts"
import * as ClusterFlow from "./ClusterFlow.ts"
import type { StartHolder } from "./ClusterStarts.ts"
import * as DurableFlow from "./DurableFlow.ts"
import { FlowUnfit } from "./ExecutionStatus.ts"
import type { PendingStarts } from "./PendingStarts.ts"
import type { ValueEncoding } from "./ValueEncoding.ts"

/** The registered flows, and the engine that runs them. */
export class Registry extends Context.Service<
  Registry,
  {
    /** The names of the registered flows. */
    readonly names: Set<string>
    readonly isEncrypted: boolean
    readonly kind:
      | { readonly _tag: "Embedded"; readonly take: PendingStarts["take"]; readonly isRestored: boolean }
      | { readonly _tag: "Cluster"; readonly encoding: ValueEncoding; readonly take: StartHolder["take"] }
  }
>()("@pay/flows/durable/Registry") {}

/** Registers a flow for `Durable.layer` or `Cluster.layer`. The flow may need services, such as the client of the gateway. */
export const flow = <N extends string, P extends Flow.Fields, A extends Flow.Written, E extends Flow.Written, R>(
  the: Flow.Flow<N, P, A, E, R>
) =>
  Layer.unwrap(
    Effect.gen(function* () {
      const { isEncrypted, kind, names } = yield* Registry
      const reason = DurableFlow.unfit(the, { isEncrypted, isSent: kind._tag === "Cluster" })
      if (reason !== undefined) return yield* new FlowUnfit({ flow: the.name, reason })
      names.add(the.name)
      return kind._tag === "Embedded" ? DurableFlow.layer(the, kind) : ClusterFlow.layer(the, kind)
    })
  )
