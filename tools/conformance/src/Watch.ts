/** Watches the requests of one check, to say what the check waited for. */
import { Clock, Effect } from "effect"
import type { Exchange } from "./Exchange.ts"

export interface Watch {
  /** The exchange that is watched. */
  readonly exchange: Exchange
  /** Whether a request got no answer. */
  readonly hasFailed: () => boolean
  /** Describes the answers until now, and the request that has none yet. */
  readonly summary: () => string
}

const pathOf = (url: string): string => URL.parse(url)?.pathname ?? url

export const make = (exchange: Exchange): Watch => {
  const open = new Map<number, string>()
  let requests = 0
  let answers = 0
  let slowestMs = 0
  let hasFailed = false
  return {
    exchange: Effect.fnUntraced(function* (message) {
      const startedMs = yield* Clock.currentTimeMillis
      requests += 1
      const own = requests
      open.set(own, `${message.method} ${pathOf(message.url)}`)
      const reply = yield* Effect.tapError(exchange(message), () =>
        Effect.sync(() => {
          hasFailed = true
          open.delete(own)
        })
      )
      open.delete(own)
      answers += 1
      slowestMs = Math.max(slowestMs, (yield* Clock.currentTimeMillis) - startedMs)
      return reply
    }),
    hasFailed: () => hasFailed || open.size > 0,
    summary: () => {
      const [waiting] = open.values()
      const until = answers === 0 ? "" : `${answers} answers, the slowest after ${(slowestMs / 1000).toFixed(1)} s`
      const missing = waiting === undefined ? "" : `no answer yet to ${waiting}`
      return [until, missing].filter((part) => part !== "").join("; ")
    }
  }
}
