/**
 * The gateway's settings. Each is described once: its schema, its default, and its text in docs/operators/configuration.md. The
 * configuration file has the same groups, in which each name is optional.
 */
import type * as Dialect from "@pay/schema/Dialect"
import { Context, Effect, Schema } from "effect"
import * as AddressPolicy from "../network/AddressPolicy.ts"

const minuteMs = 60_000
const hourMs = 60 * minuteMs
const dayMs = 24 * hourMs

const Positive = Schema.Int.check(Schema.isGreaterThan(0))

const count = (fallback: number, description: string, unit = "count", schema = Positive) =>
  schema
    .annotate({ description, unit, fallback: String(fallback) })
    .pipe(Schema.withConstructorDefault(Effect.succeed(fallback)))

const time = (ms: number, description: string) => count(ms, description, "ms")

/** Limits requests by a token bucket. `what` describes the limited requests. 0 per second: no limit. */
const rate = (perSecond: number, burst: number, what: string) =>
  Schema.Struct({
    perSecond: Schema.Finite.annotate({
      description: `${what}; 0: no limit`,
      unit: "per second",
      fallback: String(perSecond)
    }),
    burst: Schema.Finite.annotate({ description: `${what}, at once`, unit: "count", fallback: String(burst) })
  }).pipe(Schema.withConstructorDefault(Effect.succeed({ perSecond, burst })))

export const Limits = Schema.Struct({
  maxBodyBytes: count(256 * 1024, "size of a request's body", "bytes"),
  maxParameters: count(200, "parameters of a request"),
  bodyTimeoutMs: time(10_000, "time within which the body of a request must arrive"),
  headersTimeoutMs: time(5_000, "time within which the headers of a request must arrive"),
  connections: count(4096, "connections at once; further ones are closed at once"),
  addressConnections: count(
    256,
    "connections at once from one remote address; this machine and `trustedProxies` have no limit of their own"
  ),
  idleConnectionMs: time(
    125_000,
    "time after which a connection without a request is closed; longer than your proxy keeps one, see [production.md](production.md#a-proxy-in-front)"
  ),
  clockSkewMs: time(5 * minuteMs, "the largest difference between `oauth_timestamp` and the gateway's time"),
  merchantRate: rate(200, 1000, "requests of one merchant"),
  addressRate: rate(500, 2000, "requests from one remote address"),
  cardRate: rate(0.2, 30, "new payments with one card, over all merchants")
})

export const Orders = Schema.Struct({
  cardRetentionMs: time(400 * dayMs, "how long card data and the customer's data are kept after an order's end"),
  firstShortNumber: count(
    1,
    "the first short number of orders and cards, for merchants with `numbers` `short`; choose it above the numbers that your bank or their shops know already",
    "count",
    Positive.check(Schema.isLessThan(2 ** 31))
  ),
  syncWaitMs: time(
    30_000,
    "how long `sync/account-verification` waits for the final status; set it below the time-out of its clients"
  ),
  holdMs: time(7 * dayMs, "time after which an uncaptured hold is released"),
  resubmitWithinMs: time(
    15 * minuteMs,
    "how long after its acceptance the gateway sends a request again that did not reach the bank"
  ),
  repeatWindowMs: time(dayMs, "time within which an equal partial capture or return needs an `Idempotency-Key`"),
  payoutCheckMs: time(dayMs, "time after which a payout-check without a `payout-pay` ends"),
  approvalMs: time(dayMs, "time after which a payout that waits for its second approver ends"),
  methodMs: time(10_000, "time after which the 3-D Secure method step counts as not completed"),
  browserMs: time(
    30_000,
    "how long the gateway waits for a merchant's upload of the browser's data, if the issuer has no method URL and the payment had none (`threeds`: `merchant`)"
  ),
  /** Security codes are erased after twice `resubmitWithinMs`. */
  challengeMs: time(
    10 * minuteMs,
    "time after which an unfinished challenge ends the payment; must be below twice `resubmitWithinMs`"
  )
})

export const HostedPages = Schema.Struct({
  sessionMs: time(30 * minuteMs, "time after which a page ends"),
  sessionAttempts: count(3, "payment attempts on one page"),
  sessionRate: rate(3, 60, "requests for one page"),
  attemptRate: rate(2, 100, "payment attempts from one remote address, if customers' own addresses reach the gateway")
})

/** A merchant without a running job gets one place beyond each limit. */
export const Scheduler = Schema.Struct({
  bankConcurrency: count(64, "calls to the bank at once"),
  threedsConcurrency: count(64, "calls to the 3-D Secure server at once"),
  callbackConcurrency: count(64, "callbacks at once to servers that answer; each server may have one beyond it"),
  railConcurrency: count(64, "calls to the payout rail at once"),
  recurringConcurrency: count(32, "recurring payments that are charged at once"),
  jobBacklog: count(512, "jobs of one queue (bank, callbacks and so on) that are loaded and not finished"),
  jobTickMs: time(500, "how often the gateway looks for due jobs if nothing wakes it"),
  jobsPaused: Schema.Boolean.annotate({
    description: "`true`: the gateway carries out no jobs; for maintenance",
    fallback: "false"
  }).pipe(Schema.withConstructorDefault(Effect.succeed(false)))
})

const optIn = (description: string) =>
  Schema.Boolean.annotate({ description, fallback: "false" }).pipe(Schema.withConstructorDefault(Effect.succeed(false)))

/** Which traces have parts of the gateway and of merchants. Each direction is chosen for itself. */
export const Tracing = Schema.Struct({
  traceFromMerchants: optIn(
    "`true`: a request with the header `traceparent` continues the merchant's trace, whose sampling the gateway then follows; see [traces](monitoring.md#traces-metrics-and-logs-by-otlp)"
  ),
  traceToMerchants: optIn("`true`: callbacks of a sampled trace have the header `traceparent`")
})

/** What a deployment sets, or its mode. */
interface Deployment {
  /** Scheme, host and path prefix under which merchants reach the gateway. `undefined`: the address on which it listens. */
  readonly publicBaseUrl: string | undefined
  /** With `pairs`, endpoints whose `dialects` has `pairs` take and answer requests in the older dialect. */
  readonly dialects: ReadonlyArray<Dialect.Dialect>
  /** CIDR ranges of the deployment's own proxies, whose `X-Forwarded-For` is trusted. */
  readonly trustedProxies: ReadonlyArray<string>
  /** Whether plain http is refused in merchants' addresses. */
  readonly production: boolean
  /** The rules for the addresses that callbacks may go to. */
  readonly addressPolicy: AddressPolicy.AddressPolicy
}

export type Settings = Deployment &
  typeof Limits.Type &
  typeof Orders.Type &
  typeof HostedPages.Type &
  typeof Scheduler.Type &
  typeof Tracing.Type

export const defaults: Settings = {
  publicBaseUrl: undefined,
  dialects: ["json"],
  trustedProxies: [],
  production: false,
  addressPolicy: AddressPolicy.publicOnly,
  ...Limits.make({}),
  ...Orders.make({}),
  ...HostedPages.make({}),
  ...Scheduler.make({}),
  ...Tracing.make({})
}

const noLimit = { perSecond: 0, burst: 0 }

/**
 * The settings of a sandbox. They allow the older dialect, which each endpoint enables for itself. They lift the limits per
 * merchant, address, attempt and card, because the sandbox's merchant, machine and test cards are shared, and load tests run
 * there.
 */
export const sandboxDefaults: Settings = {
  ...defaults,
  dialects: ["json", "pairs"],
  merchantRate: noLimit,
  addressRate: noLimit,
  attemptRate: noLimit,
  cardRate: noLimit
}

/** The settings of the running gateway. A deployment or a test overrides single values. */
export const Settings = Context.Reference<Settings>("@pay/gateway/Settings", { defaultValue: () => defaults })

/**
 * Offsets of delivery attempts from the time of the callback's event, in milliseconds: 30 over 14 days. After the last one, the
 * event is dead-lettered.
 */
export const callbackOffsetsMs: ReadonlyArray<number> = [
  ...[2, 5, 10, 20, 30].map((minutes) => minutes * minuteMs),
  ...[1, 2, 3, 6, 12, 18].map((hours) => hours * hourMs),
  ...[1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 11.25, 12, 12.25, 12.5, 13, 13.25, 13.5, 14].map((days) => days * dayMs)
]
