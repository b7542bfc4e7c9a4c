/** Faults of the files of the gateway's store, and of its machine. They do nothing if the store has no files. */

import type { Chance } from "@pay/crashtest/Chance"
import { Effect } from "effect"
import type { Check } from "../checks/Check.ts"
import * as MerchantActions from "../merchant/MerchantActions.ts"
import type { SimulationRun } from "../SimulationRun.ts"
import { someMerchant } from "../steps/Merchants.ts"
import type { Step } from "../steps/Step.ts"
import * as Damage from "./Damage.ts"
import * as Releases from "./Releases.ts"
import type { Files } from "./Storage.ts"

type Fault = Omit<Step, "happen" | "group" | "isFault"> & {
  readonly happen: (simulation: SimulationRun, files: Files, chance: Chance) => Promise<void>
}

/** Starts the gateway. A refused start although no row is missing is a problem of the run, and ends it. */
const start = async ({ system }: SimulationRun, { problems }: Files): Promise<void> => {
  const refused = await system.run(
    Effect.match(system.gateway.start, { onFailure: ({ message }) => message, onSuccess: () => undefined })
  )
  if (refused !== undefined) problems.push(`the start is refused: ${refused}`)
  system.trace.note(refused === undefined ? "the gateway is up" : "the gateway is refused")
}

const faults: ReadonlyArray<Fault> = [
  {
    name: "powerCut",
    what: "The gateway's machine loses power, sometimes during a COMMIT. Writes that were not synced are partly lost or torn.",
    weight: 4,
    happen: async (simulation, files, chance) => {
      const { gateway, loop, pass, run, trace } = simulation.system
      if (chance.percent(50)) files.crashDuringCommit(chance)
      await loop.drain(chance.below(200))
      trace.note("the power is cut")
      await run(gateway.kill("powerCut"))
      await pass(chance.oneOf([0, 5_000, 60_000]))
      await start(simulation, files)
    }
  },
  {
    name: "damagedFile",
    what: "A file of the store is damaged, truncated or removed while the gateway is down, and restored after its start was refused.",
    weight: 2,
    happen: async (simulation, files, chance) => {
      const { gateway, run, trace } = simulation.system
      const how = chance.oneOf(["kill", "powerCut", "stop"] as const)
      await run(gateway.kill(how))
      const storeAtEnd = files.storeAtEnd()
      if (storeAtEnd === undefined) return simulation.transitions.withdraw()
      for (let times = 1 + chance.below(3); times > 0; times -= 1) {
        const { line, problems } = await run(Damage.happen(files.folder(), how, storeAtEnd, chance))
        trace.note(`after a ${how} ${line}`)
        simulation.count(line)
        files.problems.push(...problems)
      }
      await start(simulation, files)
    }
  },
  {
    name: "fullDisk",
    what: "The disk of the gateway, and sometimes those of merchants with durable flows, are full for up to a minute, while merchants create orders.",
    weight: 2,
    happen: async (simulation, files, chance) => {
      const { merchants, pass, trace } = simulation.system
      const disks = [files, ...(chance.percent(50) ? merchants.map(({ disk }) => disk) : [])]
      trace.note("the disk is full")
      for (const disk of disks) disk.setFull(true)
      for (let times = chance.below(4); times > 0; times -= 1)
        simulation.create(someMerchant(simulation, chance), chance, MerchantActions.creations)
      await pass(chance.below(60_000))
      for (const disk of disks) disk.setFull(false)
      trace.note("the disk has space again")
    }
  },
  {
    name: "laterRelease",
    what: "A later release has used the store: its migration keeps all rows, and this release refuses to start.",
    weight: 1,
    happen: async (simulation, files) => {
      const { gateway, run, trace } = simulation.system
      await run(gateway.kill("stop"))
      files.problems.push(...(await run(Releases.afterLater(files.folder()))))
      trace.note("a later release has had the store")
      await start(simulation, files)
    }
  }
]

export const steps: ReadonlyArray<Step> = faults.map(({ happen, ...step }) => ({
  ...step,
  group: "files",
  isFault: true,
  happen: async (simulation, chance) => {
    const { files } = simulation.system.storage
    if (files !== undefined) await happen(simulation, files, chance)
  }
}))

export const completeStore: Check = {
  name: "complete store",
  what: "Each start finds every row that was stored when the previous process ended, or is refused.",
  begin: ({ system }) => {
    let report = 0
    return {
      afterStep: async () => {
        const problems = system.storage.files?.problems.slice(report) ?? []
        report += problems.length
        return problems
      }
    }
  }
}
