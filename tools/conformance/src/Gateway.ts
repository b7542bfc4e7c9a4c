/** The small client through which every check sends requests to the gateway under test. */
import { randomBytes, randomUUID } from "node:crypto"
import type { Operation } from "@pay/schema/Operation"
import { Clock, Context, Effect } from "effect"
import type { Facts } from "./Capability.ts"
import * as Draft from "./Draft.ts"
import type { Exchange, Message, Reply } from "./Exchange.ts"
import type { Inbox } from "./Inbox.ts"
import type { Unanswered } from "./Unanswered.ts"
import { Lacking, Violation } from "./Violation.ts"

/** What the checks of one run share. */
export interface RunContext {
  readonly baseUrl: string
  readonly facts: Facts
  readonly exchange: Exchange
  readonly inbox: Inbox
  /** Whether the gateway can reach the inbox, so that callbacks can be expected. */
  readonly hasCallbacks: boolean
}

/** The gateway under test, as a service of checks. */
export class Gateway extends Context.Service<
  Gateway,
  RunContext & {
    /** Returns an order id that no order has had. */
    readonly freshId: () => string
    /** The final outcomes for which the gateway owes a callback, by the name of the inbox address. */
    readonly owed: Map<string, string>
    /** The requests that made orders, by the number of the order. */
    readonly made: Map<string, { readonly fields: Draft.Fields; readonly isUntouched: boolean }>
    /** How often the gateway used a choice that the specification leaves to it. */
    readonly choices: Map<string, number>
  }
>()("@pay/conformance/Gateway") {}

export const make = (context: RunContext): Gateway["Service"] => {
  const run = randomBytes(4).toString("hex")
  let count = 0
  const freshId = () => {
    count += 1
    return `conf-${run}-${count}`
  }
  return Gateway.of({ ...context, freshId, owed: new Map(), made: new Map(), choices: new Map() })
}

/** The dialect of the suite's requests. */
export const dialectOf = Effect.map(Gateway, ({ facts }) => facts.settings.dialect ?? "json")

/** Number of times that a request is repeated after a 429, which does not answer it. */
const mostThrottled = 10

const throttleMs = ({ headers }: Reply): number => Math.min(Number(headers["retry-after"] ?? 1) || 1, 30) * 1000

/** Sends a request unchanged, and repeats it after a 429. */
export const sendWithRetry = (
  exchange: Exchange,
  message: Message,
  again = mostThrottled
): Effect.Effect<Reply, Unanswered> =>
  Effect.flatMap(exchange(message), (reply) =>
    reply.status === 429 && again > 0
      ? Effect.andThen(Effect.sleep(throttleMs(reply)), sendWithRetry(exchange, message, again - 1))
      : Effect.succeed(reply)
  )

/** {@link sendWithRetry} for the gateway under test. A gateway that does not answer breaks every clause. */
export const send = (message: Message): Effect.Effect<Reply, Violation, Gateway> =>
  Effect.flatMap(Gateway, ({ exchange }) =>
    Effect.mapError(sendWithRetry(exchange, message), ({ message }) => new Violation({ message }))
  )

/** Signs and sends the operation with these fields and no others. The options can make parts of the request wrong. */
export const call = Effect.fnUntraced(function* (
  operation: Operation,
  fields: Draft.Fields,
  options: Draft.Options = {}
) {
  const { baseUrl, facts } = yield* Gateway
  const nowSeconds = Math.floor((yield* Clock.currentTimeMillis) / 1000)
  const nonce = randomUUID()
  return yield* send(Draft.make(operation, fields, options, { baseUrl, settings: facts.settings, nowSeconds, nonce }))
})

/** Moves the business time of a sandbox forward. */
export const advance = Effect.fnUntraced(function* (by: string) {
  const { baseUrl, facts } = yield* Gateway
  const url = `${baseUrl}${facts.settings.clock ?? ""}?by=${by}`
  const reply = yield* send({ method: "POST", url, headers: {}, body: "" })
  if (reply.status === 200) return
  return yield* new Lacking({
    message: `the address of "clock" in the file does not advance time: HTTP ${reply.status}`
  })
})
