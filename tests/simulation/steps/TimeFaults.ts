/** Clocks of machines that are wrong. Time itself passes as ever: timers and the bank's clock are right. */
import type { Chance } from "../Chance.ts"
import type { World } from "../World.ts"
import { oneMerchant } from "./ProcessFaults.ts"
import type { Step } from "./Step.ts"

const minuteMs = 60_000
const hourMs = 60 * minuteMs
const dayMs = 24 * hourMs

/** Around the 300 s by which the gateway lets a signature's time differ, and far beyond. */
const shiftsMs = [500, 5_000, 290_000, 310_000, 20 * minuteMs, 3 * hourMs] as const

export const longestJumpMs = 3 * dayMs

/** A clock of quartz is off by up to a hundred millionths, a bad one by a thousand. */
const driftsPpm = [-1_000, -100, 100, 1_000] as const

/** A payout is confirmed that the rail will refuse. */
const isRefusedLater = async ({ loop, rail, run }: World): Promise<boolean> =>
  (await run(rail.books.all)).some(({ lateRefusal }) => lateRefusal !== undefined && lateRefusal.fromMs > loop.nowMs())

/**
 * Whether the gateway's clock may jump forward by so much, also while a request is on its way to the bank. What cannot be promised
 * is left out: a payout is asked after five days for the last time, so that a clock that leaps over days hears nothing of a refusal
 * after that.
 */
const mayLeap = async (world: World, ms: number): Promise<boolean> => ms < dayMs / 4 || !(await isRefusedLater(world))

/** All clocks are right again. */
export const right = async (world: World): Promise<void> => {
  world.gateway.machine.correct()
  for (const { machine } of world.merchants) machine.correct()
}

const written = (ms: number): string => `${ms < 0 ? "back" : "forward"} by ${Math.abs(ms) / 1000} s`

/** Back by hours at most: the longer way is walked at half speed, so that nothing is due for as long. */
const shiftOf = (chance: Chance): number => {
  if (chance.percent(10)) return chance.oneOf([dayMs, longestJumpMs])
  return chance.oneOf([-1, 1]) * chance.oneOf(shiftsMs)
}

export const steps: ReadonlyArray<Step> = [
  {
    name: "gatewayJumps",
    group: "time",
    what: "The clock of the gateway's machine jumps: by seconds, minutes or hours forward or back, or by days forward.",
    weight: 3,
    isFault: true,
    happen: async ({ transitions, world }, chance) => {
      const ms = shiftOf(chance)
      if (!(await mayLeap(world, ms))) return transitions.withdraw()
      world.gateway.machine.shift(ms)
      world.trace.note(`the gateway's clock jumps ${written(ms)}`)
    }
  },
  {
    name: "gatewayDrifts",
    group: "time",
    what: "The clock of the gateway's machine gains or loses up to a thousandth.",
    weight: 2,
    isFault: true,
    happen: async ({ world }, chance) => {
      const ppm = chance.oneOf(driftsPpm)
      world.gateway.machine.drift(ppm)
      world.trace.note(`the gateway's clock drifts by ${ppm} ppm`)
    }
  },
  {
    name: "merchantJumps",
    group: "time",
    what: "The clock of a merchant's machine jumps by seconds up to days, or drifts.",
    weight: 3,
    isFault: true,
    happen: async ({ transitions, world }, chance) => {
      const { account, machine, remote } = oneMerchant(world, chance)
      if (!remote.isOurs) transitions.withdraw()
      const ms = chance.percent(10) ? -dayMs : shiftOf(chance)
      machine.shift(ms)
      machine.drift(chance.percent(50) ? chance.oneOf(driftsPpm) : 0)
      world.trace.note(`the clock of ${account.login} jumps ${written(ms)}`)
    }
  },
  {
    name: "clocksRight",
    group: "time",
    what: "All clocks are set right.",
    weight: 3,
    isFault: true,
    happen: async ({ world }) => {
      await right(world)
      world.trace.note("all clocks are right")
    }
  }
]
