import type { CoverageGoal } from "../goals/CoverageGoal.ts"

/** A defect that is planted in a source file by replacing a piece of its text. */
export interface Patch {
  /** The path from the project's root. */
  readonly file: string
  /** A text that occurs exactly once in the file. */
  readonly find: string
  readonly replace: string
}

/** How the defect is visible from outside, or why it is not. */
export type Visible = { readonly is: true; readonly by: string } | { readonly is: false; readonly because: string }

/** Whether the defect is visible at the API, and so to the conformance suite, or why it is not. */
export type AtApi = { readonly is: true } | { readonly is: false; readonly because: string }

export interface Planted {
  readonly name: string
  readonly visible: Visible
  readonly atApi: AtApi
  readonly patch: Patch
  /**
   * The storage of the gateway and of flows in the runs that search for the defect. Default: in memory. `drawn`: drawn from each
   * seed.
   */
  readonly storage?: "memory" | "files" | "drawn"
  /** The maximum number of payments that a merchant starts at once. Default: 20. */
  readonly maxConcurrent?: number
  /** The name of a fault that is far more frequent than the others. Default: drawn from each seed. */
  readonly frequentFault?: string
  /** The coverage goal of the runs. Default: none. */
  readonly goal?: CoverageGoal
}

/** A defect that is visible, also at the API. */
export const visible = (name: string, by: string, file: string, find: string, replace: string): Planted => ({
  name,
  visible: { is: true, by },
  atApi: { is: true },
  patch: { file, find, replace }
})

/** A defect that is not visible from outside. */
export const unseen = (name: string, because: string, file: string, find: string, replace: string): Planted => ({
  name,
  visible: { is: false, because },
  atApi: { is: false, because },
  patch: { file, find, replace }
})

/** A defect that is visible, but not at the API. */
export const behindApi = (because: string, planted: Planted): Planted => ({ ...planted, atApi: { is: false, because } })
