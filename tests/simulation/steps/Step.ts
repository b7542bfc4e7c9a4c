/** A row of the table of simulation steps. */
import type { Chance } from "@pay/crashtest/Chance"
import type { SimulationRun } from "../SimulationRun.ts"

/** The part of the simulated system that acts or fails. */
export type Group =
  | "merchant"
  | "network"
  | "process"
  | "other gateway"
  | "files"
  | "time"
  | "bank"
  | "customer"
  | "load"
  | "operator"
  | "configuration"
  | "restore"

export interface Step {
  /** One or two words, unique in the table. */
  readonly name: string
  readonly group: Group
  /** A sentence for docs/contributors/simulation-tables.md. */
  readonly what: string
  /**
   * The number of times that this step is drawn in about 100 steps. For a fault it is the maximum: each seed draws its own
   * number, often none.
   */
  readonly weight: number
  /** Whether the step is a fault. Faults stop at the end of a run, and each seed draws which faults occur. */
  readonly isFault: boolean
  /** `index`: the number of the step in its run, which makes names unique. */
  readonly happen: (simulation: SimulationRun, chance: Chance, index: number) => Promise<void>
}
