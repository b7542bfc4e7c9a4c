import type { Way } from "@pay/gateway/Acquirer"
import type { CoverageGoal } from "../simulation/goals/CoverageGoal.ts"

/** A change of a source file that replaces a piece of its text. */
export interface Patch {
  /** The path from the project's root. */
  readonly file: string
  /** A text that occurs exactly once in the file. */
  readonly find: string
  readonly replace: string
}

/** How a program sees the defect, and so must find it, or why it does not. */
export type Visible = { readonly is: true; readonly by: string } | { readonly is: false; readonly because: string }

/** The options of the simulation in the runs that search for the defect. */
interface Runs {
  /** The storage of the gateway and of flows. Default: in memory. `drawn`: drawn from each seed. */
  readonly storage?: "memory" | "files" | "drawn"
  /** The maximum number of payments that a merchant starts at once. Default: 20. */
  readonly maxConcurrent?: number
  /** The name of a fault that is far more frequent than the others. Default: drawn from each seed. */
  readonly frequentFault?: string
  /** Whether backups are restored. Default: drawn from each seed. */
  readonly restores?: true
  /** How the bank ends lost answers to requests of every kind. Default: drawn from each seed. */
  readonly ways?: ReadonlyArray<Way>
  /** The coverage goal of the runs. Default: none. */
  readonly goal?: CoverageGoal
}

/** A defect that is planted on purpose, and which programs must find it. */
export interface Defect extends Runs {
  readonly name: string
  readonly patch: Patch
  /** For `npm run simulate -- --planted`. */
  readonly inSimulation: Visible
  /** For `npm run conformance:planted`, which sees the API only. */
  readonly atApi: Visible
  /** For `npm run mutate -- --planted`, which runs the tests of the place of the source file. */
  readonly inTests: Visible
}

/** A defect that every program sees. */
export const visible = (name: string, by: string, file: string, find: string, replace: string): Defect => ({
  name,
  patch: { file, find, replace },
  ...{ inSimulation: { is: true, by }, atApi: { is: true, by }, inTests: { is: true, by } }
})

/** A defect that is not visible from outside. Only tests of the source see it. */
export const unseen = (name: string, because: string, file: string, find: string, replace: string): Defect => ({
  ...visible(name, because, file, find, replace),
  inSimulation: { is: false, because },
  atApi: { is: false, because }
})

/** A defect that is visible, but not at the API. */
export const behindApi = (because: string, defect: Defect): Defect => ({ ...defect, atApi: { is: false, because } })

/** A defect that no test of its source sees. */
export const untested = (because: string, defect: Defect): Defect => ({ ...defect, inTests: { is: false, because } })
