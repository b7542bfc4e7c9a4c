/** What must hold in every run. */
import type { SimulationRun } from "../SimulationRun.ts"

/** What is wrong, in words. Nothing: all is right. */
export type Problems = ReadonlyArray<string>

export interface Check {
  readonly name: string
  /** One sentence for documents. */
  readonly what: string
  /** A check of one run may remember what it has seen. */
  readonly begin: (simulation: SimulationRun) => {
    /** After each step: about orders of these names, and what happened since the last look. */
    readonly afterStep?: (touched: ReadonlySet<string>) => Promise<Problems>
    /** Sums over everything: every 1,000 steps. The gateway is up. */
    readonly sums?: () => Promise<Problems>
    /** A day after all faults have stopped, when bank and rail have not yet found out what they could not say. */
    readonly afterADay?: () => Promise<Problems>
    /** When all faults have stopped and everything should be final. */
    readonly atEnd?: () => Promise<Problems>
  }
}
