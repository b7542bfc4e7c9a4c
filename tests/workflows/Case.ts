/** A flow as the tables of these tests run it. */
import type { CustomerBrowser } from "@pay/flows/CustomerBrowser"
import type { PayClient } from "@pay/transport/PayClient"
import type { Effect } from "effect"
import type { PreparedRun } from "./PreparedRun.ts"

/** What the bank is to have done for the order in the end, each once: `authorize 1042`. */
export type Effects = ReadonlyArray<string>

export interface Case {
  readonly name: string
  readonly effects: Effects
  /** Whether a customer takes part who can leave. */
  readonly customer?: boolean
  /** The flow is answered at once, and causes no callback. */
  readonly isAtOnce?: true
  /** Everything up to the flow itself. `settled`: what the gateway has under way is done. */
  readonly begin: <R>(
    settled: Effect.Effect<void, never, R>
  ) => Effect.Effect<PreparedRun, unknown, PayClient | CustomerBrowser | R>
}
