/**
 * The engine that runs flows. Its layer decides what survives: {@link FlowEngine.layerMemory} nothing, `Durable.layer` the end of
 * the process, `Cluster.layer` the end of a machine. The programs are the same.
 */
import { Context, Effect, Layer } from "effect"
import type { Shape } from "./Engine.ts"
import * as MemoryEngine from "./MemoryEngine.ts"

export type { OpenExecution, Shape, Statistics } from "./Engine.ts"

/** Makes an engine in memory. */
export const makeMemory = MemoryEngine.make

/** The engine of the flows of this program. */
export class FlowEngine extends Context.Service<FlowEngine, Shape>()("@pay/flows/FlowEngine") {
  /** Runs flows in memory. They end with the process, and with the last caller that waits for their result. */
  static readonly layerMemory: Layer.Layer<FlowEngine> = Layer.effect(
    FlowEngine,
    Effect.sync(() => makeMemory())
  )
}
