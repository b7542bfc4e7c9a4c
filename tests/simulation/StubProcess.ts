/**
 * The stub gateway as a participant of the simulated world: which of its kinds it is, is drawn from the seed. What it has
 * accepted it does, whether or not anybody reaches it.
 */
import * as Profile from "@pay/transport/Profile"
import { Effect } from "effect"
import * as StubGateway from "../workflows/stub/StubGateway.ts"
import type { Chance } from "./Chance.ts"
import type { Loop } from "./Loop.ts"
import * as Account from "./merchant/Account.ts"
import type { Network } from "./Network.ts"
import type { Trace } from "./Trace.ts"

/** What its merchants reach: it, nothing, or a server that takes requests and answers none. */
export type Availability = "open" | "refusing" | "silent"

export interface StubProcess {
  readonly gateway: StubGateway.StubGateway
  readonly settings: StubGateway.Settings
  /** What its merchants know of it besides the specification. */
  readonly profile: Profile.Profile
  readonly availability: () => Availability
  readonly set: (availability: Availability) => void
  /** Its bank declines so many of the next movements. */
  readonly decline: (times: number) => void
}

export interface Options {
  readonly loop: Loop
  readonly trace: Trace
  readonly network: Network
  readonly chance: Chance
  /** The login of its merchant. */
  readonly login: string
  /** A callback reaches the merchant; the answer's status. */
  readonly receiveCallback: (url: string) => Effect.Effect<number>
}

/** Between the tries of a callback; then it is given up. */
const pausesMs = [5_000, 60_000, 600_000, 7_200_000] as const

const undelivered = Effect.succeed(0)

/**
 * A merchant who knows what it says of an unknown order sends again what it has not. Where a repeat is done again that is left
 * out: what is on its way for longer than a question's quiet period is then done twice, and no client can know of it.
 */
const draw = (chance: Chance) => {
  const drawn = {
    repeats: chance.oneOf(["refused", "doubled"] as const),
    isTerse: chance.percent(40),
    hiddenMs: chance.oneOf([0, 0, 40_000, 120_000]),
    threeds: new Set([Account.third.endpoints.threeds3dsGateway, Account.third.endpoints.threedsMerchant])
  }
  const isKnown = drawn.repeats === "refused" && chance.percent(50)
  const dialect = chance.oneOf(["json", "pairs"] as const)
  const spoken = Profile.named[dialect === "json" ? "specification" : "paynet"]
  return {
    settings: { ...drawn, dialect } satisfies StubGateway.Settings,
    profile: { ...spoken, ...(isKnown ? { notFound: ["Unknown order"] } : {}) }
  }
}

export const make = ({ chance, receiveCallback, login, loop, network, trace }: Options): StubProcess => {
  const run = Effect.runForkWith(loop.context)
  const { profile, settings } = draw(chance)
  let availability: Availability = "open"
  let declines = 0
  let serialNumber = 0

  const start = (work: Effect.Effect<void>): void => {
    run(work).addObserver((exit) => {
      if (exit._tag === "Failure") throw new Error(`the stub gateway died: ${String(exit.cause)}`)
    })
  }

  const tell = Effect.fnUntraced(function* (url: string) {
    for (const pauseMs of [...pausesMs, 0]) {
      const arrive = receiveCallback(url)
      const status = yield* network.deliver({ login, arrive, lost: undelivered, refused: undelivered, proxy: [503] })
      if (status === 200) return
      yield* Effect.sleep(pauseMs)
    }
  })

  const gateway = StubGateway.make(settings, {
    after: (delayMs, work) => start(Effect.andThen(Effect.sleep(delayMs), Effect.sync(work))),
    tell: (url) => start(tell(url)),
    approves: (kind) => {
      if (declines === 0) return true
      declines -= 1
      trace.note(`the stub's bank declines to ${kind}`)
      return false
    },
    serialNumber: () => {
      serialNumber += 1
      return `stub-${serialNumber}`
    }
  })
  trace.note(`the stub is ${JSON.stringify({ ...settings, profile, threeds: [...settings.threeds] })}`)
  return {
    ...{ gateway, settings, profile },
    availability: () => availability,
    set: (next) => {
      availability = next
      trace.note(`the stub's availability is ${next}`)
    },
    decline: (times) => {
      declines = times
    }
  }
}
