/** The whole interface: every operation by name, by path and by command. */
import type { Operation } from "./Operation.ts"
import { Capture, Return, Status, Void } from "./operations/FollowUp.ts"
import { Preauth, Sale } from "./operations/Payment.ts"

/** In the order of the specification. */
export const operations = {
  CAPTURE: Capture,
  PREAUTH: Preauth,
  RETURN: Return,
  SALE: Sale,
  STATUS: Status,
  VOID: Void
} as const

export type Name = keyof typeof operations

/** Every operation, for walks. */
export const all: ReadonlyArray<Operation> = Object.values(operations)

/** By path without the endpoint id: `/api/v2/sale`. */
export const byPath: ReadonlyMap<string, Operation> = new Map(all.map((operation) => [operation.path, operation]))

/** By command: `sale`, `v4/payout`. */
export const byCommand: ReadonlyMap<string, Operation> = new Map(all.map((operation) => [operation.command, operation]))
