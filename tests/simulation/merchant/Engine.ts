/** Runs the flows of a merchant's process: in memory, or durably. */
import { FlowEngine, makeMemory } from "@pay/flows/FlowEngine"
import { Context, Effect, type Scope } from "effect"
import type { Endpoint } from "./Account.ts"
import type { Execute, FlowServices, GatewayServices } from "./MerchantAction.ts"

/** Runs flows at one endpoint in one process. */
export interface FlowRunner {
  /** The services of flows at this endpoint. */
  readonly context: Context.Context<FlowServices>
  /** Starts the flow, or joins it, and waits for its result. */
  readonly execute: Execute
  /** Waits for the result of a flow that an earlier process started. It is interrupted if there is none. */
  readonly resume: Execute
}

/** An engine in one process. */
export interface RunningEngine {
  readonly at: (endpoint: Endpoint) => Effect.Effect<FlowRunner>
  /** Signals every flow of the process. */
  readonly signals: FlowEngine["Service"]
  /** Descriptions of stored flows that have not ended. */
  readonly open: Effect.Effect<ReadonlyArray<string>>
}

export type ServicesFor = (endpoint: Endpoint) => Effect.Effect<Context.Context<GatewayServices>>

export interface Engine {
  /** Whether flows survive a crash. Such an engine runs flows only, no programs that are composed of them. */
  readonly isDurable: boolean
  /** Called at each start of the process, on the files of the previous process. */
  readonly start: (servicesFor: ServicesFor) => Effect.Effect<RunningEngine, never, Scope.Scope>
  /** The process crashes: what it writes from now on is not stored. */
  readonly crash: () => void
  /** The process has ended. Prepares the files that the next process finds. */
  readonly afterProcessEnd: (how: "kill" | "powerCut") => void
  /** Runs a batch that writes to the files. */
  readonly write: (batch: () => void) => void
  /** Runs a batch during a crash: only the beginning of what it writes is stored. */
  readonly writeDuringCrash: (batch: () => void) => void
  readonly setFull: (isFull: boolean) => void
  /** Descriptions of flows that the merchant saw as stored, and that are missing after a crash. */
  readonly lostFlows: ReadonlyArray<string>
  /** The size of all its files. */
  readonly bytes: () => number
  /** Called at the end of the run, when no process runs. */
  readonly end: () => void
}

/** Runs flows in memory. A crash loses them. */
export const inMemory: Engine = {
  isDurable: false,
  start: (servicesFor) =>
    Effect.sync(() => {
      const engine = makeMemory()
      // One client for each endpoint while the process runs: it coordinates concurrent runs of a flow.
      const clients = new Map<Endpoint, Effect.Effect<Context.Context<GatewayServices>>>()
      const at = Effect.fnUntraced(function* (endpoint: Endpoint) {
        const lookup = clients.get(endpoint) ?? (yield* Effect.cached(servicesFor(endpoint)))
        clients.set(endpoint, lookup)
        const context = Context.add(yield* lookup, FlowEngine, engine)
        return {
          context,
          execute: (flow, payload) => flow.execute(payload),
          resume: () => Effect.interrupt
        } satisfies FlowRunner
      })
      return { at, signals: engine, open: Effect.succeed([]) }
    }),
  crash: () => {},
  afterProcessEnd: () => {},
  write: (batch) => batch(),
  writeDuringCrash: (batch) => batch(),
  setFull: () => {},
  lostFlows: [],
  bytes: () => 0,
  end: () => {}
}
