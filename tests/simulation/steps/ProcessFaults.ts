/** Processes that crash or pause, and continue with the state that is left. */

import type { Chance } from "@pay/crashtest/Chance"
import { Effect } from "effect"
import type { MerchantProcess } from "../merchant/MerchantProcess.ts"
import type { SimulatedSystem } from "../SimulatedSystem.ts"
import type { Step } from "./Step.ts"

const one = (merchants: ReadonlyArray<MerchantProcess>, chance: Chance): MerchantProcess => {
  const result = chance.someOf(merchants)
  if (result === undefined) throw new Error("the simulation has no merchants")
  return result
}

export const oneMerchant = ({ merchants }: SimulatedSystem, chance: Chance): MerchantProcess => one(merchants, chance)

/** Returns a merchant of our gateway. The third merchant uses the stub gateway. */
export const merchantOfOurs = ({ merchants }: SimulatedSystem, chance: Chance): MerchantProcess =>
  one(
    merchants.filter(({ remote }) => remote.isOurs),
    chance
  )

/** Shorter and longer than a lease. A lease lasts at least two minutes, because the gateway waits 20 s for the bank. */
const pausesMs = [100, 5_000, 40_000, 119_000, 150_000, 600_000, 7_200_000] as const

/** Pauses a process during its work. It is not killed. */
const pause = async (
  { loop, pass, trace }: SimulatedSystem,
  chance: Chance,
  who: string,
  process: Pick<MerchantProcess["machine"], "pause" | "resume">
) => {
  await loop.drain(chance.below(400))
  const ms = chance.oneOf(pausesMs)
  process.pause()
  trace.note(`${who} pauses for ${ms} ms`)
  await pass(ms)
  process.resume()
  trace.note(`${who} continues`)
}

export const steps: ReadonlyArray<Step> = [
  {
    name: "killGateway",
    group: "process",
    what: "The gateway is killed at any of its steps, and starts again within a minute.",
    weight: 5,
    isFault: true,
    happen: async ({ system }, chance) => {
      system.gateway.crashAfter(1 + chance.below(60))
      await system.loop.drain()
      system.trace.note("the gateway is killed")
      await system.run(system.gateway.kill())
      await system.pass(chance.oneOf([0, 100, 5_000, 60_000]))
      await system.run(system.gateway.start)
      system.trace.note("the gateway is up")
    }
  },
  {
    name: "killDuringStart",
    group: "process",
    what: "The gateway is killed, and then up to three more times while it starts.",
    weight: 2,
    isFault: true,
    happen: async ({ system }, chance) => {
      await system.run(system.gateway.kill())
      for (let left = 1 + chance.below(3); left > 0; left -= 1) {
        system.gateway.crashAfter(1 + chance.below(40))
        await system.run(Effect.exit(system.gateway.start))
        await system.loop.drain()
        await system.run(system.gateway.kill())
        system.trace.note("the gateway is killed in its start")
      }
      system.gateway.crashAfter(Number.POSITIVE_INFINITY)
      await system.run(system.gateway.start)
      system.trace.note("the gateway is up")
    }
  },
  {
    name: "pauseGateway",
    group: "process",
    what: "The gateway pauses during its work, for less than a lease or for longer, and continues.",
    weight: 4,
    isFault: true,
    happen: async ({ system }, chance) => pause(system, chance, "the gateway", system.gateway)
  },
  {
    name: "killMerchant",
    group: "process",
    what: "A merchant's process is killed at any of its steps and loses what its flows kept in memory, or its machine loses power, sometimes during a COMMIT of its durable flows. It starts again within a minute.",
    weight: 3,
    isFault: true,
    happen: async ({ transitions, system }, chance) => {
      const merchant = oneMerchant(system, chance)
      if (!merchant.remote.isOurs) transitions.withdraw()
      const isCut = merchant.isDurable && chance.percent(50)
      if (isCut && chance.percent(50)) merchant.crashDuringWrite()
      else merchant.crashAfter(1 + chance.below(20))
      await system.loop.drain(chance.percent(50) ? chance.below(400) : undefined)
      await system.run(isCut ? merchant.cutPower : merchant.kill)
      await system.pass(chance.oneOf([0, 0, 100, 5_000, 60_000]))
      await system.run(merchant.start)
    }
  },
  {
    name: "pauseMerchant",
    group: "process",
    what: "A merchant's process pauses for up to two hours, and continues.",
    weight: 3,
    isFault: true,
    happen: async ({ transitions, system }, chance) => {
      const { account, machine, remote } = oneMerchant(system, chance)
      if (!remote.isOurs) transitions.withdraw()
      await pause(system, chance, account.login, machine)
    }
  }
]
