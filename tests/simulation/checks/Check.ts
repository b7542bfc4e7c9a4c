/** A check that every run must pass. */
import type { SimulationRun } from "../SimulationRun.ts"

/** Descriptions of violations. Empty if there is none. */
export type Problems = ReadonlyArray<string>

export interface Check {
  readonly name: string
  /** A sentence for docs/contributors/simulation-tables.md. */
  readonly what: string
  /** Starts the check for one run. */
  readonly begin: (simulation: SimulationRun) => {
    /** Runs after each step, about these orders and about everything since the previous call. */
    readonly afterStep?: (changedOrders: ReadonlySet<string>) => Promise<Problems>
    /** Sums over all rows. Runs every 1,000 steps while the gateway is up. */
    readonly sums?: () => Promise<Problems>
    /** Runs a day after all faults have stopped, before bank and rail decide what is undecided. */
    readonly afterADay?: () => Promise<Problems>
    /** Runs when all faults have stopped and everything should be final. */
    readonly atEnd?: () => Promise<Problems>
  }
}
