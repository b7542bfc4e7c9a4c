import type { CoverageGoal } from "../goals/CoverageGoal.ts"

/** A defect that is planted in a source file: one piece of its text is another. */
export interface Patch {
  /** From the project's root. */
  readonly file: string
  /** Stands exactly once in the file. */
  readonly find: string
  readonly replace: string
}

/** By what it shows from outside; or why it does not show there. */
export type Visible = { readonly is: true; readonly by: string } | { readonly is: false; readonly because: string }

/** Whether the conformance suite, which sees the API and nothing else, can see it; or why it cannot. */
export type AtApi = { readonly is: true } | { readonly is: false; readonly because: string }

export interface Planted {
  readonly name: string
  readonly visible: Visible
  readonly atApi: AtApi
  readonly patch: Patch
  /**
   * The place of the gateway's rows and of the flows in the simulations that look for the defect. Default: in memory. `drawn`: as
   * each seed draws.
   */
  readonly place?: "memory" | "files" | "drawn"
  /** How many payments a merchant begins at once, at most. Default: few. */
  readonly maxConcurrent?: number
  /** The name of a fault that happens far more often than others. Default: as each seed draws. */
  readonly frequentFault?: string
  /** What the runs have much of. Default: nothing above other things. */
  readonly goal?: CoverageGoal
}

/** One that can be seen, at the API too. */
export const visible = (name: string, by: string, file: string, find: string, replace: string): Planted => ({
  name,
  visible: { is: true, by },
  atApi: { is: true },
  patch: { file, find, replace }
})

/** One that does not show outside. */
export const unseen = (name: string, because: string, file: string, find: string, replace: string): Planted => ({
  name,
  visible: { is: false, because },
  atApi: { is: false, because },
  patch: { file, find, replace }
})

/** One that can be seen, but not at the API. */
export const behindApi = (because: string, planted: Planted): Planted => ({ ...planted, atApi: { is: false, because } })
