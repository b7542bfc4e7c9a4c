/**
 * What lies between two processes of the world: a request or its answer can be dropped, delayed, doubled, overtaken, cut, mixed up
 * with another, turned away by a proxy, or reach a process that is not there. Faults are drawn from the mix of the line, for each
 * request anew.
 */
import { Effect } from "effect"
import type { Chance } from "./Chance.ts"
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
  /** Half of the answer's body arrives. */
  answerCut: 0,
  /** What arrives is the answer that was left unread by, or given to, the request before on the same connection. */
  answerStale: 0,
  /** A proxy answers in place of the gateway, which hears of nothing. */
  proxyRefused: 0,
  /** A proxy answers in place of the gateway, which the request reaches later. */
  proxyGaveUp: 0,
  refused: 0
}
export type Mix = Readonly<typeof quiet>
export type Fault = keyof Mix

const isFault = (name: string): name is Fault => Object.hasOwn(quiet, name)
const faults = Object.keys(quiet).filter(isFault)

/** Each fault as often as is said. */
export const mixed = (share: (fault: Fault) => number): Mix => {
  const mix = { ...quiet }
  for (const fault of faults) mix[fault] = share(fault)
  return mix
}

/** One after another, requests of one kind share a connection of a merchant's. */
export interface Connection<A> {
  /** The answer before. */
  last: A | undefined
  /**
   * Whether the answer names what it is about. Nobody can tell that a refusal which names nothing is another's: such a one stays
   * where it belongs.
   */
  readonly names: (answer: A) => boolean
}

/** One request on its way. Faults that it has no words for are as if the answer was lost. */
export interface Way<A, E> {
  /** Whose line it is on: a merchant's login. */
  readonly login: string
  /** What the other side does with it. */
  readonly arrive: Effect.Effect<A, E>
  /** What the sender sees when there is no answer. */
  readonly lost: Effect.Effect<A, E>
  /** What the sender sees when there is nobody. */
  readonly refused: Effect.Effect<A, E>
  readonly cut?: (answer: A) => A
  /** What a proxy says in the gateway's place. */
  readonly proxy?: ReadonlyArray<A>
  readonly connection?: Connection<A>
  /** Faults that it does not meet. */
  readonly exempt?: ReadonlySet<Fault>
}

export interface Network {
  /** The mix that holds now: on every line, or on this one. */
  readonly set: (mix: Mix, login?: string) => void
  /** How many requests met each fault. */
  readonly counts: Readonly<Record<Fault, number>>
  /** Carries one request out. What has arrived is carried out whether or not somebody still waits. */
  readonly deliver: <A, E>(way: Way<A, E>) => Effect.Effect<A, E>
}

const longestDelayMs = 50_000
const longestOvertakingMs = 5_000

export const make = (loop: Loop, chance: Chance): Network => {
  let everywhere: Mix = quiet
  const lines = new Map<string, Mix>()
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
    ...way
  }: Way<A, E>): Effect.Effect<A, E> =>
    Effect.suspend(() => {
      const before = connection?.last
      const keep = (answer: A) =>
        Effect.sync(() => {
          if (connection?.names(answer) === true) connection.last = answer
        })
      const arrive = Effect.ensuring(Effect.tap(way.arrive, keep), pass)
      /** Runs an effect that no caller waits for. The sender may be gone by then. */
      const apart = (effect: typeof arrive) => Effect.sync(() => void run(Effect.exit(effect)))
      const [first, ...others] = proxy
      const byProxy = first === undefined ? lost : Effect.succeed(chance.oneOf([first, ...others]))
      switch (draw(lines.get(login) ?? everywhere, exempt)) {
        case "requestDropped":
          return Effect.andThen(delay, lost)
        case "answerDropped":
          return Effect.andThen(Effect.exit(arrive), lost)
        case "answerSlow":
          return Effect.tap(arrive, delay)
        case "requestSlow":
          return Effect.andThen(apart(Effect.andThen(delay, arrive)), Effect.andThen(delay, lost))
        // A proxy may have lost the first answer and sent the request again. The answer to the second request comes back.
        case "requestTwice":
          return Effect.andThen(Effect.exit(arrive), arrive)
        case "overtaken":
          return Effect.andThen(Effect.timeoutOption(passed, longestOvertakingMs), arrive)
        case "answerCut":
          return cut === undefined ? Effect.andThen(Effect.exit(arrive), lost) : Effect.map(arrive, cut)
        case "answerStale":
          return Effect.andThen(Effect.exit(arrive), before === undefined ? lost : Effect.succeed(before))
        case "proxyRefused":
          return byProxy
        case "proxyGaveUp":
          return Effect.andThen(apart(Effect.andThen(delay, arrive)), Effect.andThen(delay, byProxy))
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
        lines.clear()
      } else lines.set(login, mix)
    },
    counts,
    deliver
  }
}
