/** What carries the flows of a merchant's process out. */
import * as Flow from "@pay/flows/Flow"
import * as Steps from "@pay/flows/Steps"
import { Context, Effect, type Scope } from "effect"
import type { Endpoint } from "./Account.ts"
import type { Execute, FlowServices } from "./MerchantAction.ts"

/** In one process, for flows at one endpoint. */
export interface FlowRunner {
  /** What the flows of this endpoint are given. */
  readonly context: Context.Context<FlowServices>
  /** Begins the flow, or joins it, and waits for its end. */
  readonly execute: Execute
  /** Waits for the end of a flow that a process before has begun; interrupted where none has. */
  readonly resume: Execute
}

/** In one process. */
export interface Running {
  readonly at: (endpoint: Endpoint) => Effect.Effect<FlowRunner>
  /** Reaches every flow of the process. */
  readonly steps: Steps.Shape
  /** Flows that are written down and have not ended. */
  readonly open: Effect.Effect<ReadonlyArray<string>>
}

export type ServicesFor = (endpoint: Endpoint) => Effect.Effect<Context.Context<FlowServices>>

export interface Engine {
  /** Whether it carries out flows only, and not programs that are made of them. */
  readonly isDurable: boolean
  /** Each start of the process begins with it, on what the one before has left. */
  readonly start: (servicesFor: ServicesFor) => Effect.Effect<Running, never, Scope.Scope>
  /** The moment of death: what the process does from now on is not kept. */
  readonly crash: () => void
  /** Nothing of the process runs any more. The next one finds what is left. */
  readonly leave: (how: "kill" | "powerCut") => void
  /** Runs what writes to the files. */
  readonly write: (batch: () => void) => void
  /** Runs it after death: only the beginning of what it writes is kept. */
  readonly writeDuringCrash: (batch: () => void) => void
  readonly setFull: (isFull: boolean) => void
  /** Flows that were written down, by the answers to their merchant, and are not there any more. */
  readonly lost: ReadonlyArray<string>
  /** The size of all its files. */
  readonly bytes: () => number
  /** At the end of the world, when no process runs any more. */
  readonly end: () => void
}

/** Nothing outlives the process. */
export const inMemory: Engine = {
  isDurable: false,
  start: (servicesFor) =>
    Effect.sync(() => {
      const steps = Steps.makeMemory()
      // One client for each endpoint, as long as the process runs: runs of one flow know of each other by it.
      const clients = new Map<Endpoint, Effect.Effect<Context.Context<FlowServices>>>()
      const at = Effect.fnUntraced(function* (endpoint: Endpoint) {
        const lookup = clients.get(endpoint) ?? (yield* Effect.cached(servicesFor(endpoint)))
        clients.set(endpoint, lookup)
        const context = Context.add(yield* lookup, Steps.Steps, steps)
        return { context, execute: Flow.run, resume: () => Effect.interrupt } satisfies FlowRunner
      })
      return { at, steps, open: Effect.succeed([]) }
    }),
  crash: () => {},
  leave: () => {},
  write: (batch) => batch(),
  writeDuringCrash: (batch) => batch(),
  setFull: () => {},
  lost: [],
  bytes: () => 0,
  end: () => {}
}
