/**
 * What lies between two processes of the world: a request or its answer can be dropped, delayed, doubled, cut, or reach a
 * process that is not there. Faults are drawn from the mix of the seed, for each request anew.
 */
import { Effect } from "effect"
import type { Chance } from "./Chance.ts"
import type { Loop } from "./Loop.ts"

export const faults = [
  "requestDropped",
  "answerDropped",
  "answerSlow",
  "requestSlow",
  "requestTwice",
  "refused"
] as const
export type Fault = (typeof faults)[number]

/** Of a thousand requests, how many meet each fault. */
export type Mix = Readonly<Record<Fault, number>>

export const quiet: Mix = {
  requestDropped: 0,
  answerDropped: 0,
  answerSlow: 0,
  requestSlow: 0,
  requestTwice: 0,
  refused: 0
}

export interface Network {
  /** The mix that holds now. */
  readonly set: (mix: Mix) => void
  /** How many requests met each fault. */
  readonly met: Readonly<Record<Fault, number>>
  /**
   * Carries one request out: `arrive` is what the other side does with it, `lost` and `refused` are what the sender sees when there
   * is no answer. What has arrived is carried out whether or not somebody still waits.
   */
  readonly carry: <A, E>(way: {
    readonly arrive: Effect.Effect<A, E>
    readonly lost: Effect.Effect<never, E>
    readonly refused: Effect.Effect<never, E>
  }) => Effect.Effect<A, E>
}

const longestDelayMs = 50_000

export const make = (loop: Loop, chance: Chance): Network => {
  let mix = quiet
  const met: Record<Fault, number> = { ...quiet }
  const run = Effect.runForkWith(loop.context)

  const draw = (): Fault | undefined => {
    const drawn = chance.below(1000)
    let bound = 0
    for (const fault of faults) {
      bound += mix[fault]
      if (drawn < bound) {
        met[fault] += 1
        return fault
      }
    }
    return undefined
  }
  const delay = Effect.suspend(() => Effect.sleep(1 + chance.below(longestDelayMs)))

  return {
    set: (next) => {
      mix = next
    },
    met,
    carry: ({ arrive, lost, refused }) =>
      Effect.suspend(() => {
        /** Nobody waits for it: the sender may be gone by then. */
        const apart = (effect: typeof arrive) => Effect.sync(() => void run(Effect.exit(effect)))
        switch (draw()) {
          case "requestDropped":
            return Effect.andThen(delay, lost)
          case "answerDropped":
            return Effect.andThen(Effect.exit(arrive), lost)
          case "answerSlow":
            return Effect.tap(arrive, delay)
          case "requestSlow":
            return Effect.andThen(apart(Effect.andThen(delay, arrive)), Effect.andThen(delay, lost))
          // As by a proxy that lost the first answer: what comes back is the answer to the second.
          case "requestTwice":
            return Effect.andThen(Effect.exit(arrive), arrive)
          case "refused":
            return refused
          default:
            return arrive
        }
      })
  }
}
