/** A gate that is never closed. */
import { Effect, Layer } from "effect"
import { OrderGate } from "../src/kernel/OrderGate.ts"

const open = (mayBeOfAnother: boolean) =>
  Layer.succeed(OrderGate, { closedForMs: () => Effect.undefined, mayBeOfAnother: () => mayBeOfAnother })

export const layer = open(false)

/** Another gateway may go on with each order. */
export const layerOfCopy = open(true)
