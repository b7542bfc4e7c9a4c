/** The table of all simulation steps, and the random choice among them. */

import type { Chance } from "@pay/crashtest/Chance"
import * as CoverageGoal from "../goals/CoverageGoal.ts"
import * as FileFaults from "../storage/FileFaults.ts"
import * as BankFaults from "./BankFaults.ts"
import * as Configuration from "./Configuration.ts"
import * as CustomerFaults from "./CustomerFaults.ts"
import * as LoadFaults from "./LoadFaults.ts"
import * as Merchants from "./Merchants.ts"
import * as NetworkFaults from "./NetworkFaults.ts"
import * as Operators from "./Operators.ts"
import * as ProcessFaults from "./ProcessFaults.ts"
import * as Restores from "./Restores.ts"
import type { Step } from "./Step.ts"
import * as StubFaults from "./StubFaults.ts"
import * as ThreeDSFaults from "./ThreeDSFaults.ts"
import * as TimeFaults from "./TimeFaults.ts"

export const all: ReadonlyArray<Step> = [
  ...Merchants.steps,
  ...NetworkFaults.steps,
  ...ProcessFaults.steps,
  ...BankFaults.steps,
  ...ThreeDSFaults.steps,
  ...CustomerFaults.steps,
  ...TimeFaults.steps,
  ...LoadFaults.steps,
  ...Configuration.steps,
  ...Operators.steps,
  ...FileFaults.steps,
  ...StubFaults.steps,
  ...Restores.steps
]

/** The share, out of 100 steps, of the fault that a seed makes most frequent. */
const frequentShare = 25

interface Possible {
  /** Whether faults of files are possible. */
  readonly hasFiles: boolean
  /** Whether backups are restored. */
  readonly hasRestores: boolean
}

interface Preferences {
  /** The name of the fault that should be frequent. Default: the seed draws one. */
  readonly most?: string | undefined
  /** Default: no goal. */
  readonly goal?: CoverageGoal.CoverageGoal | undefined
}

/** A fault is absent, rare, or as frequent as its weight. In half of the seeds one fault is far more frequent. */
const ordinary = (possible: ReadonlyArray<Step>, chance: Chance, most: string | undefined) => {
  const drawnMost = chance.percent(50) ? chance.someOf(possible.filter(({ isFault }) => isFault)) : undefined
  const frequent = most === undefined ? drawnMost : possible.find(({ name }) => name === most)
  const drawn = ({ isFault, weight }: Step) => (isFault ? chance.below(weight + 1) : weight)
  return possible.map((step) => ({ step, share: step === frequent ? frequentShare : drawn(step) }))
}

/** Returns a function that draws steps. Each seed has its own mix. */
export const drawing = (
  chance: Chance,
  { hasFiles, hasRestores }: Possible,
  { goal, most }: Preferences = {}
): ((chance: Chance) => Step) => {
  const possible = all.filter(({ group }) => (hasFiles || group !== "files") && (hasRestores || group !== "restore"))
  const shares = goal === undefined ? ordinary(possible, chance, most) : CoverageGoal.shares(goal, possible, chance)
  const total = shares.reduce((sum, { share }) => sum + share, 0)
  return (own) => {
    let left = own.below(total)
    for (const { share, step } of shares) {
      left -= share
      if (left < 0) return step
    }
    throw new Error("the shares of steps do not add up")
  }
}
