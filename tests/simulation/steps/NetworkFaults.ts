/** Faults of the network: what happens to requests, answers and callbacks. */
import type { Chance } from "@pay/crashtest/Chance"
import * as Network from "../Network.ts"
import type { Step } from "./Step.ts"

const drawn = (chance: Chance): Network.Mix =>
  Network.mixed(() => (chance.percent(40) ? chance.below(chance.oneOf([20, 120])) : 0))

const met = (mix: Network.Mix): string => JSON.stringify(mix, (_, value: unknown) => (value === 0 ? undefined : value))

export const steps: ReadonlyArray<Step> = [
  {
    name: "network",
    group: "network",
    what: "From now on requests, answers and callbacks are dropped, delayed, duplicated, reordered, truncated, mixed up or rejected, each with a drawn frequency.",
    weight: 6,
    isFault: true,
    happen: async ({ system: { network, trace } }, chance) => {
      const mix = drawn(chance)
      network.set(mix)
      trace.note(`the network has ${met(mix)}`)
    }
  },
  {
    name: "merchantNetwork",
    group: "network",
    what: "From now on the connection of one merchant has a drawn mix of faults, up to being down.",
    weight: 3,
    isFault: true,
    happen: async ({ transitions, system: { merchants, network, trace } }, chance) => {
      const [first, ...others] = merchants
      if (first === undefined) return
      const { account, remote } = chance.oneOf([first, ...others])
      const { login } = account
      if (!remote.isOurs) transitions.withdraw()
      const mix = chance.percent(20) ? { ...Network.quiet, refused: 1000 } : drawn(chance)
      network.set(mix, login)
      trace.note(`the connection of ${login} has ${met(mix)}`)
    }
  }
]
