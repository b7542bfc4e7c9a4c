/** What merchants do, and time that passes. */
import type { Chance } from "../Chance.ts"
import type { Life } from "../Life.ts"
import type { MerchantProcess } from "../merchant/MerchantProcess.ts"
import * as Wishes from "../merchant/Wishes.ts"
import type { Step } from "./Step.ts"

const pausesMs = [1, 300, 1_000, 6_000, 40_000, 300_000, 7_200_000, 86_400_000, 259_200_000] as const

/** Mostly the first merchant; each of the others one time of ten. */
export const someMerchant = ({ world: { merchants } }: Life, chance: Chance): MerchantProcess => {
  const [first, ...others] = merchants
  if (first === undefined) throw new Error("a world without merchants")
  return chance.percent(70) ? first : chance.oneOf([first, ...others])
}

export const steps: ReadonlyArray<Step> = [
  {
    name: "create",
    group: "merchant",
    what: "A merchant begins a flow that creates an order.",
    weight: 30,
    isFault: false,
    happen: async (life, chance) => life.create(someMerchant(life, chance), chance, Wishes.creations)
  },
  {
    name: "follow",
    group: "merchant",
    what: "A merchant begins a flow about an order that it has.",
    weight: 30,
    isFault: false,
    happen: async (life, chance, index) =>
      life.follow(someMerchant(life, chance), chance, `step-${index}`, Wishes.followers)
  },
  {
    name: "again",
    group: "merchant",
    what: "A merchant begins a flow again that ended without a certain outcome.",
    weight: 5,
    isFault: false,
    happen: async (life, chance) => {
      const [first, ...others] = [...life.wishes.values()].filter(({ intent }) => intent.end === "unsure")
      if (first !== undefined) life.begin(chance.oneOf([first, ...others]))
    }
  },
  {
    name: "pass",
    group: "merchant",
    what: "Time passes: from a millisecond to three days.",
    weight: 20,
    isFault: false,
    happen: async ({ world }, chance) => {
      const ms = chance.oneOf(pausesMs)
      world.trace.note(`${ms} ms pass`)
      await world.pass(ms)
    }
  }
]
