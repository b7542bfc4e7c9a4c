/** A gate that is never closed. */
import { Effect, Layer } from "effect"
import { OrderGate } from "../src/kernel/OrderGate.ts"

export const layer = Layer.succeed(OrderGate, { closedForMs: () => Effect.undefined, mayBeOfAnother: () => false })
