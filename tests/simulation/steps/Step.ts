/** The rows of the table of everything that can happen in a simulated world. */
import type { Chance } from "../Chance.ts"
import type { SimulationRun } from "../SimulationRun.ts"

/** What is at fault, or at work. */
export type Group =
  | "merchant"
  | "network"
  | "process"
  | "other gateway"
  | "files"
  | "time"
  | "bank"
  | "people"
  | "load"
  | "operator"
  | "configuration"

export interface Step {
  /** One or two words, unique in the table. */
  readonly name: string
  readonly group: Group
  /** One sentence for documents. */
  readonly what: string
  /**
   * The number of times that this step is drawn in about 100 steps. For a fault it is the maximum: each seed draws its own
   * number, often none.
   */
  readonly weight: number
  /** Whether it brings trouble: faults stop at the end of a run, and each seed draws which ones it has. */
  readonly isFault: boolean
  /** `index`: the number of the step in its run, for names. */
  readonly happen: (simulation: SimulationRun, chance: Chance, index: number) => Promise<void>
}
