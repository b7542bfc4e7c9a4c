/** Actions of merchants, and the passing of time. */
import type { Chance } from "@pay/crashtest/Chance"
import * as MerchantActions from "../merchant/MerchantActions.ts"
import type { MerchantProcess } from "../merchant/MerchantProcess.ts"
import type { SimulationRun } from "../SimulationRun.ts"
import type { Step } from "./Step.ts"

const pausesMs = [1, 300, 1_000, 6_000, 40_000, 300_000, 7_200_000, 86_400_000, 259_200_000] as const

/** Returns the first merchant in most cases, and each of the others in one of ten. */
export const someMerchant = ({ system: { merchants } }: SimulationRun, chance: Chance): MerchantProcess => {
  const [first, ...others] = merchants
  if (first === undefined) throw new Error("the simulation has no merchants")
  return chance.percent(70) ? first : chance.oneOf([first, ...others])
}

export const steps: ReadonlyArray<Step> = [
  {
    name: "createOrder",
    group: "merchant",
    what: "A merchant starts a flow that creates an order.",
    weight: 30,
    isFault: false,
    happen: async (simulation, chance) =>
      simulation.create(someMerchant(simulation, chance), chance, MerchantActions.creations)
  },
  {
    name: "followUp",
    group: "merchant",
    what: "A merchant starts a flow that follows up an existing order.",
    weight: 30,
    isFault: false,
    happen: async (simulation, chance, index) =>
      simulation.follow(someMerchant(simulation, chance), chance, `step-${index}`, MerchantActions.followers)
  },
  {
    name: "retryUnknown",
    group: "merchant",
    what: "A merchant runs a flow with an unknown outcome again.",
    weight: 5,
    isFault: false,
    happen: async (simulation, chance) => {
      const [first, ...others] = [...simulation.actions.values()].filter(({ intent }) => intent.status === "unknown")
      if (first !== undefined) simulation.begin(chance.oneOf([first, ...others]))
    }
  },
  {
    name: "passTime",
    group: "merchant",
    what: "Time passes: from a millisecond to three days.",
    weight: 20,
    isFault: false,
    happen: async ({ system }, chance) => {
      const ms = chance.oneOf(pausesMs)
      system.trace.note(`${ms} ms pass`)
      await system.pass(ms)
    }
  }
]
