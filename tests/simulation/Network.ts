/**
 * The network between two processes of the simulated system. A request or its answer can be dropped, delayed, duplicated, reordered,
 * truncated, mixed up with another, rejected by a proxy, or refused by a process that is down. The fault of each request is drawn
 * from the mix of its merchant.
 */

import type { Chance } from "@pay/crashtest/Chance"
import { Effect } from "effect"
import type { Loop } from "./Loop.ts"

/** The number of requests out of a thousand that meet each fault. */
export const quiet = {
  requestDropped: 0,
  answerDropped: 0,
  answerSlow: 0,
  requestSlow: 0,
  requestTwice: 0,
  /** A request that was sent later arrives earlier. */
  overtaken: 0,
  /** Only half of the answer's body arrives. */
  answerCut: 0,
  /** The answer to the previous request on the same connection arrives. */
  answerStale: 0,
  /** A proxy answers, and the request does not reach the gateway. */
  proxyRefused: 0,
  /** A proxy answers, and the request reaches the gateway later. */
  proxyGaveUp: 0,
  refused: 0
}
export type Mix = Readonly<typeof quiet>
export type Fault = keyof Mix

const isFault = (name: string): name is Fault => Object.hasOwn(quiet, name)
const faults = Object.keys(quiet).filter(isFault)

/** Returns a mix with the share of each fault. */
export const mixed = (share: (fault: Fault) => number): Mix => {
  const mix = { ...quiet }
  for (const fault of faults) mix[fault] = share(fault)
  return mix
}

/** A connection of a merchant, which its requests share one after another. */
export interface Connection<A> {
  /** The previous answer. */
  last: A | undefined
  /**
   * Whether the answer names its subject. No client can detect that a refusal without a name belongs to another request, so such an
   * answer is never mixed up.
   */
  readonly names: (answer: A) => boolean
}

/** One request. A fault for which it has no answer is treated as a lost answer. */
export interface Delivery<A, E> {
  /** The login of the merchant whose mix of faults applies. */
  readonly login: string
  /** What the receiver does with the request. */
  readonly arrive: Effect.Effect<A, E>
  /** What the sender sees when there is no answer. */
  readonly lost: Effect.Effect<A, E>
  /** What the sender sees when the receiver is down. */
  readonly refused: Effect.Effect<A, E>
  readonly cut?: (answer: A) => A
  /** The answers of a proxy. */
  readonly proxy?: ReadonlyArray<A>
  readonly connection?: Connection<A>
  /** Faults that do not apply to it. */
  readonly exempt?: ReadonlySet<Fault>
}

export interface Network {
  /** Sets the mix of faults for every merchant, or for this one. */
  readonly set: (mix: Mix, login?: string) => void
  /** The number of requests that met each fault. */
  readonly counts: Readonly<Record<Fault, number>>
  /** Delivers a request. The receiver handles what arrives, even if the sender no longer waits. */
  readonly deliver: <A, E>(delivery: Delivery<A, E>) => Effect.Effect<A, E>
}

const longestDelayMs = 50_000
const longestOvertakingMs = 5_000

export const make = (loop: Loop, chance: Chance): Network => {
  let everywhere: Mix = quiet
  const mixes = new Map<string, Mix>()
  const counts: Record<Fault, number> = { ...quiet }
  const run = Effect.runForkWith(loop.context)
  let waiting: Array<() => void> = []

  const draw = (mix: Mix, exempt: ReadonlySet<Fault> | undefined): Fault | undefined => {
    if (mix === quiet) return undefined
    const drawn = chance.below(1000)
    let bound = 0
    for (const fault of faults) {
      bound += mix[fault]
      if (drawn < bound) {
        if (exempt?.has(fault)) return undefined
        counts[fault] += 1
        return fault
      }
    }
    return undefined
  }
  const delay = Effect.suspend(() => Effect.sleep(1 + chance.below(longestDelayMs)))
  const passed = Effect.callback<void>((resume) => {
    waiting.push(() => resume(Effect.void))
  })
  const pass = Effect.sync(() => {
    const select = waiting
    waiting = []
    for (const go of select) go()
  })

  const deliver = <A, E>({
    connection,
    cut,
    login,
    lost,
    proxy = [],
    refused,
    exempt,
    ...delivery
  }: Delivery<A, E>): Effect.Effect<A, E> =>
    Effect.suspend(() => {
      const previous = connection?.last
      const remember = (answer: A) =>
        Effect.sync(() => {
          if (connection?.names(answer) === true) connection.last = answer
        })
      const arrive = Effect.ensuring(Effect.tap(delivery.arrive, remember), pass)
      /** Runs an effect in the background. The sender may have crashed by then. */
      const inBackground = (effect: typeof arrive) => Effect.sync(() => void run(Effect.exit(effect)))
      const [first, ...others] = proxy
      const byProxy = first === undefined ? lost : Effect.succeed(chance.oneOf([first, ...others]))
      switch (draw(mixes.get(login) ?? everywhere, exempt)) {
        case "requestDropped":
          return Effect.andThen(delay, lost)
        case "answerDropped":
          return Effect.andThen(Effect.exit(arrive), lost)
        case "answerSlow":
          return Effect.tap(arrive, delay)
        case "requestSlow":
          return Effect.andThen(inBackground(Effect.andThen(delay, arrive)), Effect.andThen(delay, lost))
        // A proxy may have lost the first answer and sent the request again. The answer to the second request comes back.
        case "requestTwice":
          return Effect.andThen(Effect.exit(arrive), arrive)
        case "overtaken":
          return Effect.andThen(Effect.timeoutOption(passed, longestOvertakingMs), arrive)
        case "answerCut":
          return cut === undefined ? Effect.andThen(Effect.exit(arrive), lost) : Effect.map(arrive, cut)
        case "answerStale":
          return Effect.andThen(Effect.exit(arrive), previous === undefined ? lost : Effect.succeed(previous))
        case "proxyRefused":
          return byProxy
        case "proxyGaveUp":
          return Effect.andThen(inBackground(Effect.andThen(delay, arrive)), Effect.andThen(delay, byProxy))
        case "refused":
          return refused
        case undefined:
          return arrive
      }
    })

  return {
    set: (mix, login) => {
      if (login === undefined) {
        everywhere = mix
        mixes.clear()
      } else mixes.set(login, mix)
    },
    counts,
    deliver
  }
}
