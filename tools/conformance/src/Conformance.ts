/** A run of the suite against one gateway. */

import * as ErrorCode from "@pay/schema/ErrorCode"
import * as GatewayProfile from "@pay/schema/GatewayProfile"
import * as Loopback from "@pay/schema/Loopback"
import type { Operation } from "@pay/schema/Operation"
import * as Pairs from "@pay/schema/Pairs"
import * as PayApi from "@pay/schema/PayApi"
import { Clock, Data, Effect } from "effect"
import type { Facts } from "./Capability.ts"
import type { Check } from "./Check.ts"
import * as Checks from "./Checks.ts"
import * as Draft from "./Draft.ts"
import * as Exchange from "./Exchange.ts"
import * as Gateway from "./Gateway.ts"
import * as Inbox from "./Inbox.ts"
import * as Settings from "./Settings.ts"

/** All checks of the suite. */
export const checks: ReadonlyArray<Check> = Checks.all

/** The outcome of a check. `Lacking`: the check was not made, because the gateway or the file lacks what it requires. */
export type Outcome =
  | { readonly _tag: "Passed" }
  | { readonly _tag: "Failed"; readonly message: string }
  | { readonly _tag: "Lacking"; readonly message: string }

/** The outcome of one check, and its duration in milliseconds. */
export interface Result {
  readonly check: Check
  readonly outcome: Outcome
  readonly tookMs: number
}

/** The results of a run. `profile` is the gateway's own announcement. */
export interface Run {
  readonly baseUrl: string
  readonly profile: string
  readonly startedAtMs: number
  readonly tookMs: number
  readonly results: ReadonlyArray<Result>
}

/** The options of a run. */
export interface Options {
  /** The address before `/api/`. */
  readonly baseUrl: string
  readonly settings: Settings.Settings
  /** Whether a check runs. Default: all checks run. */
  readonly isWanted?: (check: Check) => boolean
  /** Longest duration of a check, in seconds. A check that takes longer has failed. Default 30. */
  readonly limitSeconds?: number
  /** Largest number of concurrent checks. Default 8. */
  readonly concurrency?: number
  /** Called when a check ends, with the number of checks that have ended and the number of all checks of the run. */
  readonly onResult?: (result: Result, done: number, all: number) => void
  /** Whether no further check starts after the first failure. */
  readonly bail?: boolean
}

/** No gateway was reached: nothing answers at the address, or the server at the address has no operation of the contract. */
export class GatewayUnreachable extends Data.TaggedError("GatewayUnreachable")<{ readonly code: string }> {}

/** The code of {@link GatewayUnreachable} if a server answers at the address and has no operation of the contract. */
export const noOperations = "HTTP 404"

/** Codes of refusals that precede the decision about the merchant and the dialect. */
const undecided: ReadonlySet<string | undefined> = new Set(
  [ErrorCode.codes.acceptRequired, ErrorCode.codes.authenticationFailed].map(({ code }) => String(code))
)

/**
 * Returns whether the endpoint accepts the older dialect. It requests the status of an order that does not exist, without the
 * specification's `Accept`.
 */
const acceptsOlder = Effect.fnUntraced(function* ({ baseUrl, settings }: Options, exchange: Exchange.Exchange) {
  const fields = { login: settings.login, client_orderid: "conformance" }
  const nowSeconds = Math.floor((yield* Clock.currentTimeMillis) / 1000)
  const context = { baseUrl, settings, nowSeconds, nonce: "" }
  const message = Draft.make(PayApi.operations.STATUS, fields, { headers: { accept: "*/*" } }, context)
  const reply = yield* Gateway.sendWithRetry(exchange, message).pipe(
    Effect.mapError(({ code }) => new GatewayUnreachable({ code }))
  )
  const body = reply.body === undefined || reply.isOlder ? Pairs.read(reply.text) : undefined
  return body?.type !== undefined && !undecided.has(body["error-code"])
})

/**
 * Reads the gateway's profile and determines the paths that it serves. The requests are unsigned, so that they have no effect.
 */
const factsOf = Effect.fnUntraced(function* (options: Options, exchange: Exchange.Exchange) {
  const { baseUrl, settings } = options
  const ask = (operation: Operation) =>
    Gateway.sendWithRetry(exchange, {
      method: "POST",
      url: `${baseUrl}${operation.path}/${settings.endpoint}`,
      headers: Draft.headersOf(settings),
      body: ""
    }).pipe(Effect.mapError(({ code }) => new GatewayUnreachable({ code })))
  const first = yield* ask(PayApi.operations.STATUS)
  const without = new Set(settings.without)
  const replies = yield* Effect.forEach(
    PayApi.all,
    (each) => Effect.map(ask(each), ({ status }) => [each, status] as const),
    {
      concurrency: 4
    }
  )
  if (replies.every(([, status]) => status === 404)) return yield* new GatewayUnreachable({ code: noOperations })
  const header = first.headers[GatewayProfile.header]
  const announced = typeof header === "string" ? header : ""
  const named = settings.capabilities ?? []
  const { profile } = GatewayProfile.parse([announced, ...named.filter((each) => !Settings.isWord(each))].join(", "))
  const facts: Facts = {
    settings,
    profile: { ...GatewayProfile.specification, ...profile },
    words: new Set([...named.filter(Settings.isWord), ...(Loopback.isOn(baseUrl) ? ["loopback"] : [])]),
    operations: new Set(
      replies.flatMap(([{ command, name }, status]) => (status === 404 || without.has(command) ? [] : [name]))
    ),
    acceptsOlder: settings.dialect === "pairs" || (yield* acceptsOlder(options, exchange))
  }
  return { facts, announced }
})

const outcomeOf = ({ limitSeconds = 0, program }: Check, limit: number) => {
  const seconds = Math.max(limitSeconds, limit)
  return program.pipe(
    Effect.as<Outcome>({ _tag: "Passed" }),
    Effect.catchTag("Violation", ({ message }) => Effect.succeed<Outcome>({ _tag: "Failed", message })),
    Effect.catchTag("Lacking", ({ message }) => Effect.succeed<Outcome>({ _tag: "Lacking", message })),
    Effect.timeoutOrElse({
      duration: `${seconds} seconds`,
      orElse: () => Effect.succeed<Outcome>({ _tag: "Failed", message: `took longer than ${seconds} s` })
    })
  )
}

/** Runs checks concurrently, and then those that run by themselves, one after another. */
export const run = Effect.fnUntraced(function* (options: Options) {
  const { baseUrl, concurrency = 8, isWanted = () => true, limitSeconds = 30, onResult, settings } = options
  const startedAtMs = yield* Clock.currentTimeMillis
  const exchange = yield* Exchange.make
  const { announced, facts } = yield* factsOf(options, exchange)
  const listen = settings.listen ?? { host: "127.0.0.1", port: 0 }
  const inbox = yield* Inbox.make(listen)
  const hasCallbacks = Loopback.isOn(baseUrl) || listen.url !== undefined
  const gateway = Gateway.make({ baseUrl, facts, exchange, inbox, hasCallbacks })
  const wanted = checks.filter(isWanted)
  const results: Array<Result> = []
  const judge = Effect.fnUntraced(function* (check: Check) {
    if (options.bail === true && results.some(({ outcome }) => outcome._tag === "Failed")) return
    const startedMs = yield* Clock.currentTimeMillis
    const lacking = check.needs.find(({ isIn }) => !isIn(facts))
    const outcome: Outcome =
      lacking === undefined
        ? yield* Effect.provideService(outcomeOf(check, limitSeconds), Gateway.Gateway, gateway)
        : { _tag: "Lacking", message: lacking.lacking }
    const result = { check, outcome, tookMs: (yield* Clock.currentTimeMillis) - startedMs }
    results.push(result)
    onResult?.(result, results.length, wanted.length)
  })
  yield* Effect.forEach(
    wanted.filter(({ alone }) => alone !== true),
    judge,
    { concurrency, discard: true }
  )
  yield* Effect.forEach(
    wanted.filter(({ alone }) => alone === true),
    judge,
    { discard: true }
  )
  const order = new Map(wanted.map(({ id }, index) => [id, index]))
  const sorted = results.toSorted((one, other) => (order.get(one.check.id) ?? 0) - (order.get(other.check.id) ?? 0))
  const tookMs = (yield* Clock.currentTimeMillis) - startedAtMs
  return { baseUrl, profile: announced, startedAtMs, tookMs, results: sorted } satisfies Run
})
