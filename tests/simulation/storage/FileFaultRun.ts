/** A short run in which the store meets every fault of files in turn, between orders that merchants create. */
import * as Chance from "@pay/crashtest/Chance"
import { acknowledged } from "../checks/Durability.ts"
import * as MerchantActions from "../merchant/MerchantActions.ts"
import * as SimulatedSystem from "../SimulatedSystem.ts"
import * as SimulationRun from "../SimulationRun.ts"
import { someMerchant } from "../steps/Merchants.ts"
import * as FileFaults from "./FileFaults.ts"
import * as SqliteFiles from "./SqliteFiles.ts"

export interface Result {
  readonly problems: ReadonlyArray<string>
  readonly counts: Readonly<Record<string, number>>
  readonly hash: string
}

const orders = 3

/** Runs the rounds, and ends early after a problem. */
export const run = async (seed: number, rounds: number, defects?: SqliteFiles.StorageDefects): Promise<Result> => {
  const system = await SimulatedSystem.make({ seed, storage: SqliteFiles.sqlite(defects) })
  const simulation = SimulationRun.make(system)
  const checks = [FileFaults.completeStore, acknowledged].map(({ begin }) => begin(simulation))
  const problems: Array<string> = []
  for (let index = 0; index < rounds * FileFaults.steps.length && problems.length === 0; index += 1) {
    const chance = Chance.make(Chance.part(seed, index))
    for (let count = 0; count < orders; count += 1)
      simulation.create(someMerchant(simulation, chance), chance, MerchantActions.creations)
    await system.loop.drain(chance.below(300))
    await system.pass(chance.below(3_000))
    const step = FileFaults.steps[index % FileFaults.steps.length]
    simulation.count(`step ${step?.name}`)
    await step?.happen(simulation, chance, index)
    await system.settle()
    for (const { afterStep } of checks) problems.push(...((await afterStep?.(new Set())) ?? []))
  }
  system.end()
  return { problems, counts: simulation.counts, hash: system.trace.hash() }
}
