/**
 * The stub gateway as a process of the simulation. Its variant is drawn from the seed. It completes what it has accepted, whether
 * or not it is reachable.
 */

import type { Chance } from "@pay/crashtest/Chance"
import * as Profile from "@pay/transport/Profile"
import { Effect } from "effect"
import * as StubGateway from "../workflows/stub/StubGateway.ts"
import type { Loop } from "./Loop.ts"
import * as Account from "./merchant/Account.ts"
import type { Network } from "./Network.ts"
import type { Trace } from "./Trace.ts"

/** Whether merchants can reach it: `silent` accepts connections and never answers. */
export type Availability = "open" | "down" | "silent"

export interface StubProcess {
  readonly gateway: StubGateway.StubGateway
  readonly settings: StubGateway.Settings
  /** The profile that its merchants configure. */
  readonly profile: Profile.Profile
  readonly availability: () => Availability
  readonly setAvailability: (availability: Availability) => void
  /** Lets its bank decline this number of the next movements. */
  readonly decline: (times: number) => void
}

export interface Options {
  readonly loop: Loop
  readonly trace: Trace
  readonly network: Network
  readonly chance: Chance
  /** The login of its merchant. */
  readonly login: string
  /** Delivers a callback to the merchant, and returns the status of the answer. */
  readonly receiveCallback: (url: string) => Effect.Effect<number>
}

/** The pauses between the attempts of a callback, which is then dead-lettered. */
const pausesMs = [5_000, 60_000, 600_000, 7_200_000] as const

const undelivered = Effect.succeed(0)

/**
 * Draws a variant and the merchant's profile. A merchant whose profile has the answer about unknown orders repeats a request that
 * the gateway does not know. That is left out if the gateway executes repeats, because a request that is long under way could then
 * be executed twice, which no client can detect.
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
  const namedProfile = Profile.named[dialect === "json" ? "specification" : "paynet"]
  return {
    settings: { ...drawn, dialect } satisfies StubGateway.Settings,
    profile: { ...namedProfile, ...(isKnown ? { notFound: ["Unknown order"] } : {}) }
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
      if (exit._tag === "Failure") throw new Error(`the stub gateway failed: ${String(exit.cause)}`)
    })
  }

  const sendCallback = Effect.fnUntraced(function* (url: string) {
    for (const pauseMs of [...pausesMs, 0]) {
      const arrive = receiveCallback(url)
      const status = yield* network.deliver({ login, arrive, lost: undelivered, refused: undelivered, proxy: [503] })
      if (status === 200) return
      yield* Effect.sleep(pauseMs)
    }
  })

  const gateway = StubGateway.make(settings, {
    after: (delayMs, work) => start(Effect.andThen(Effect.sleep(delayMs), Effect.sync(work))),
    tell: (url) => start(sendCallback(url)),
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
    setAvailability: (next) => {
      availability = next
      trace.note(`the stub gateway is ${next}`)
    },
    decline: (times) => {
      declines = times
    }
  }
}
