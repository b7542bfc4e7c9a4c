/**
 * The simulated bank world as one piece. Nothing here is loaded in production.
 */
import { BankBooks } from "@pay/gateway/BankBooks"
import { Effect, Layer } from "effect"
import * as SandboxAcquirer from "./SandboxAcquirer.ts"
import * as SandboxClock from "./SandboxClock.ts"
import { SandboxControl } from "./SandboxControl.ts"

export type Options = SandboxAcquirer.Options & SandboxClock.Options

/** The simulated bank's books, as the parity check asks for them. */
const bankBooks = Layer.effect(
  BankBooks,
  Effect.map(SandboxControl, ({ books }) => BankBooks.of({ totals: books.totals }))
)

/**
 * A bank and a movable clock. Provided twice, it is two worlds that share nothing but the files they are given.
 *
 * ```ts
 * gateway.pipe(Layer.provideMerge(SandboxWorld.layer({ journalPath: "bank.jsonl" })))
 * ```
 */
export const layer = (options: Options = {}) =>
  Layer.fresh(
    Layer.provideMerge(bankBooks, Layer.mergeAll(SandboxAcquirer.layer(options), SandboxClock.layer(options)))
  )
