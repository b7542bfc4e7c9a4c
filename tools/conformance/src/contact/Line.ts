/** The requests of one first contact: how they are sent, and how many were answered. */
import { randomUUID } from "node:crypto"
import * as GatewayProfile from "@pay/schema/GatewayProfile"
import { Clock, Effect, Result } from "effect"
import * as Draft from "../Draft.ts"
import type * as Exchange from "../Exchange.ts"
import * as Facts from "../Facts.ts"
import type * as HarmlessRequest from "./HarmlessRequest.ts"
import * as Observation from "./Observation.ts"

/** How far a first contact is. */
export interface Steps {
  /** What is asked, in words. */
  asks: string
  answered: number
  /** How many requests are expected in all, as far as is known now. */
  expected: number
  /** What the gateway announces of itself. */
  announces: string
}

/** What the requests of one contact share. */
export interface Line {
  readonly baseUrl: string
  readonly merchant: Draft.Merchant
  readonly ask: Facts.Ask
  readonly steps: Steps
  readonly freshId: () => string
  /** How many requests are asked side by side. */
  readonly concurrency: number
}

/** Begins a step with so many requests until the end of the contact. */
export const begin = ({ steps }: Line, asks: string, left: number): void => {
  steps.asks = asks
  steps.expected = steps.answered + left
}

/** Returns the function that sends requests and counts their answers. While the gateway throttles, none is repeated. */
export const asking = (exchange: Exchange.Exchange, limitSeconds: number, steps: Steps): Facts.Ask => {
  const patient = Facts.asking(exchange, limitSeconds)
  const once = Facts.asking(exchange, limitSeconds, 0)
  let isThrottled = false
  return (message) =>
    Effect.tap(isThrottled ? once(message) : patient(message), (answer) =>
      Effect.sync(() => {
        isThrottled = Result.isSuccess(answer) && answer.success.status === 429
        steps.answered += 1
      })
    )
}

/** Sends a request, and returns what its answer shows. */
export const observe = Effect.fnUntraced(function* (line: Line, request: HarmlessRequest.HarmlessRequest) {
  const { baseUrl, merchant, steps } = line
  const nowSeconds = Math.floor((yield* Clock.currentTimeMillis) / 1000)
  const context = { baseUrl, settings: merchant, nowSeconds, nonce: randomUUID() }
  const answer = yield* line.ask(Draft.make(request.operation, request.fields, request.options, context))
  if (Result.isFailure(answer)) return { noAnswer: answer.failure.message } satisfies Observation.Silence
  const header = answer.success.headers[GatewayProfile.header]
  if (typeof header === "string") steps.announces = header
  return Observation.of(answer.success, merchant, request.fields)
})

/** Sends an empty request to a path that no gateway has. */
export const nowhere = ({ ask, baseUrl, merchant }: Line) =>
  Effect.map(
    ask({
      method: "POST",
      url: `${baseUrl}/api/v2/no-such-operation/${merchant.endpoint}`,
      headers: Draft.headersOf(merchant),
      body: ""
    }),
    (answer) => (Result.isSuccess(answer) ? Observation.of(answer.success, merchant, {}) : undefined)
  )
