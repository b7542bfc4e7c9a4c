/** Faults of the stub gateway and its bank. */
import type { Step } from "./Step.ts"

const downMs = [100, 5_000, 60_000, 600_000, 7_200_000] as const

export const steps: ReadonlyArray<Step> = [
  {
    name: "stubDown",
    group: "other gateway",
    what: "The stub gateway is down for up to two hours: it is unreachable, or accepts connections and never answers. It still completes what it accepted before.",
    weight: 3,
    isFault: true,
    happen: async ({ transitions, system: { loop, pass, stub } }, chance) => {
      transitions.withdraw()
      await loop.drain(chance.percent(50) ? chance.below(400) : undefined)
      stub.setAvailability(chance.oneOf(["down", "silent"]))
      await pass(chance.oneOf(downMs))
      stub.setAvailability("open")
    }
  },
  {
    name: "stubDeclines",
    group: "other gateway",
    what: "The bank of the stub gateway declines up to three of its next movements.",
    weight: 3,
    isFault: true,
    happen: async ({ transitions, system: { stub, trace } }, chance) => {
      transitions.withdraw()
      const times = 1 + chance.below(3)
      stub.decline(times)
      trace.note(`the stub's bank declines the next ${times}`)
    }
  }
]
