/** Machines with wrong clocks. Timers and the bank's clock stay right. */
import type { Chance } from "@pay/crashtest/Chance"
import type { SimulatedSystem } from "../SimulatedSystem.ts"
import { oneMerchant } from "./ProcessFaults.ts"
import type { Step } from "./Step.ts"

const minuteMs = 60_000
const hourMs = 60 * minuteMs
const dayMs = 24 * hourMs

/** Close to the 300 s of clock skew that the gateway accepts in a signature, and far beyond. */
const shiftsMs = [500, 5_000, 290_000, 310_000, 20 * minuteMs, 3 * hourMs] as const

export const longestJumpMs = 3 * dayMs
/** Longer than a hold, and than the period of most recurring payments. */
const glitchMs = 35 * dayMs

/** A quartz clock drifts by up to 100 ppm, a bad one by 1,000 ppm. */
const driftsPpm = [-1_000, -100, 100, 1_000] as const

/** Returns whether the rail will refuse a payout that it has confirmed. */
const isRefusedLater = async ({ loop, rail, run }: SimulatedSystem): Promise<boolean> =>
  (await run(rail.books.all)).some(({ lateRefusal }) => lateRefusal !== undefined && lateRefusal.fromMs > loop.nowMs())

/**
 * Returns whether the gateway's clock may jump forward by this time. A jump of days is excluded while a payout will be refused
 * later: the gateway inquires about a payout for the last time after five days, so it would miss the refusal.
 */
const mayJump = async (system: SimulatedSystem, ms: number): Promise<boolean> =>
  ms < dayMs / 4 || !(await isRefusedLater(system))

/** Corrects all clocks. */
export const correctClocks = async (system: SimulatedSystem): Promise<void> => {
  system.gateway.machine.correct()
  for (const { machine } of system.merchants) machine.correct()
}

const written = (ms: number): string => `${ms < 0 ? "back" : "forward"} by ${Math.abs(ms) / 1000} s`

/** Back by hours at most, because after a jump back the gateway's time advances at half speed until it is right. */
const shiftOf = (chance: Chance): number => {
  if (chance.percent(10)) return chance.oneOf([dayMs, longestJumpMs])
  return chance.oneOf([-1, 1]) * chance.oneOf(shiftsMs)
}

export const steps: ReadonlyArray<Step> = [
  {
    name: "gatewayClockJump",
    group: "time",
    what: "The clock of the gateway's machine jumps: by seconds, minutes or hours forward or back, or by days forward.",
    weight: 3,
    isFault: true,
    happen: async ({ transitions, system }, chance) => {
      const ms = shiftOf(chance)
      if (!(await mayJump(system, ms))) return transitions.withdraw()
      system.gateway.machine.shift(ms)
      system.trace.note(`the gateway's clock jumps ${written(ms)}`)
    }
  },
  {
    name: "gatewayClockGlitch",
    group: "time",
    what: "The clock of the gateway's machine is 35 days ahead for four seconds.",
    weight: 2,
    isFault: true,
    happen: async ({ system }) => {
      system.trace.note(`the gateway's clock jumps ${written(glitchMs)} for 4 s`)
      system.gateway.machine.shift(glitchMs)
      await system.pass(4_000)
      system.gateway.machine.shift(-glitchMs)
    }
  },
  {
    name: "gatewayClockDrift",
    group: "time",
    what: "The clock of the gateway's machine drifts by up to 1,000 ppm.",
    weight: 2,
    isFault: true,
    happen: async ({ system }, chance) => {
      const ppm = chance.oneOf(driftsPpm)
      system.gateway.machine.drift(ppm)
      system.trace.note(`the gateway's clock drifts by ${ppm} ppm`)
    }
  },
  {
    name: "merchantClockJump",
    group: "time",
    what: "The clock of a merchant's machine jumps by seconds up to days, or drifts.",
    weight: 3,
    isFault: true,
    happen: async ({ transitions, system }, chance) => {
      const { account, machine, remote } = oneMerchant(system, chance)
      if (!remote.isOurs) transitions.withdraw()
      const ms = chance.percent(10) ? -dayMs : shiftOf(chance)
      machine.shift(ms)
      machine.drift(chance.percent(50) ? chance.oneOf(driftsPpm) : 0)
      system.trace.note(`the clock of ${account.login} jumps ${written(ms)}`)
    }
  },
  {
    name: "correctClocks",
    group: "time",
    what: "All clocks are corrected.",
    weight: 3,
    isFault: true,
    happen: async ({ system }) => {
      await correctClocks(system)
      system.trace.note("all clocks are right")
    }
  }
]
