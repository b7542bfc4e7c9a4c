/** Processes that die or stand still, and go on with what is left. */
import { Effect } from "effect"
import type { Chance } from "../Chance.ts"
import type { MerchantProcess } from "../merchant/MerchantProcess.ts"
import type { World } from "../World.ts"
import type { Step } from "./Step.ts"

const one = (merchants: ReadonlyArray<MerchantProcess>, chance: Chance): MerchantProcess => {
  const result = chance.someOf(merchants)
  if (result === undefined) throw new Error("a world without merchants")
  return result
}

export const oneMerchant = ({ merchants }: World, chance: Chance): MerchantProcess => one(merchants, chance)

/** Whom our gateway and its operators know. */
export const oneOfOurs = ({ merchants }: World, chance: Chance): MerchantProcess =>
  one(
    merchants.filter(({ remote }) => remote.isOurs),
    chance
  )

/** Below a lease and above it; a lease lasts two minutes at least, since the bank is waited for 20 s. */
const pausesMs = [100, 5_000, 40_000, 119_000, 150_000, 600_000, 7_200_000] as const

/** It stands still in the midst of its work, and is not killed. */
const pause = async (
  { loop, pass, trace }: World,
  chance: Chance,
  who: string,
  process: Pick<MerchantProcess["machine"], "pause" | "resume">
) => {
  await loop.drain(chance.below(400))
  const ms = chance.oneOf(pausesMs)
  process.pause()
  trace.note(`${who} stands still for ${ms} ms`)
  await pass(ms)
  process.resume()
  trace.note(`${who} goes on`)
}

export const steps: ReadonlyArray<Step> = [
  {
    name: "killGateway",
    group: "process",
    what: "The gateway is killed at any of its steps, and is up again after up to a minute.",
    weight: 5,
    isFault: true,
    happen: async ({ world }, chance) => {
      world.gateway.crashAfter(1 + chance.below(60))
      await world.loop.drain()
      world.trace.note("the gateway is killed")
      await world.run(world.gateway.kill())
      await world.pass(chance.oneOf([0, 100, 5_000, 60_000]))
      await world.run(world.gateway.start)
      world.trace.note("the gateway is up")
    }
  },
  {
    name: "killInStart",
    group: "process",
    what: "The gateway is killed, and then up to three times more while it starts.",
    weight: 2,
    isFault: true,
    happen: async ({ world }, chance) => {
      await world.run(world.gateway.kill())
      for (let left = 1 + chance.below(3); left > 0; left -= 1) {
        world.gateway.crashAfter(1 + chance.below(40))
        await world.run(Effect.exit(world.gateway.start))
        await world.loop.drain()
        await world.run(world.gateway.kill())
        world.trace.note("the gateway is killed in its start")
      }
      world.gateway.crashAfter(Number.POSITIVE_INFINITY)
      await world.run(world.gateway.start)
      world.trace.note("the gateway is up")
    }
  },
  {
    name: "pauseGateway",
    group: "process",
    what: "The gateway stands still in the midst of its work, for less than a lease or for longer, and goes on.",
    weight: 4,
    isFault: true,
    happen: async ({ world }, chance) => pause(world, chance, "the gateway", world.gateway)
  },
  {
    name: "killMerchant",
    group: "process",
    what: "A merchant's process is killed at any of its steps with all that its flows kept in memory, or its machine loses its power, at times amid a COMMIT of its durable flows. It is up again after up to a minute.",
    weight: 3,
    isFault: true,
    happen: async ({ transitions, world }, chance) => {
      const merchant = oneMerchant(world, chance)
      if (!merchant.remote.isOurs) transitions.withdraw()
      const isCut = merchant.isDurable && chance.percent(50)
      if (isCut && chance.percent(50)) merchant.crashDuringWrite()
      else merchant.crashAfter(1 + chance.below(20))
      await world.loop.drain(chance.percent(50) ? chance.below(400) : undefined)
      await world.run(isCut ? merchant.cutPower : merchant.kill)
      await world.pass(chance.oneOf([0, 0, 100, 5_000, 60_000]))
      await world.run(merchant.start)
    }
  },
  {
    name: "pauseMerchant",
    group: "process",
    what: "A merchant's process stands still for up to two hours, and goes on.",
    weight: 3,
    isFault: true,
    happen: async ({ transitions, world }, chance) => {
      const { account, machine, remote } = oneMerchant(world, chance)
      if (!remote.isOurs) transitions.withdraw()
      await pause(world, chance, account.login, machine)
    }
  }
]
