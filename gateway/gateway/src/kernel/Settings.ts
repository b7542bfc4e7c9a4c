/** The gateway's settings, each with its default and its unit. */
import type { Dialect } from "@pay/schema/Dialect"
import { Context } from "effect"
import * as AddressPolicy from "../network/AddressPolicy.ts"

const minuteMs = 60_000
const hourMs = 60 * minuteMs
const dayMs = 24 * hourMs

export interface Settings {
  /** Scheme, host and path prefix under which merchants reach the gateway. `undefined`: the address on which it listens. */
  readonly publicBaseUrl: string | undefined
  /** With `pairs`, a request that does not accept the specification's media type is answered in the older dialect. */
  readonly dialects: ReadonlyArray<Dialect>
  readonly maxBodyBytes: number
  readonly maxParameters: number
  readonly bodyTimeoutMs: number
  readonly headersTimeoutMs: number
  /** Tolerated difference between `oauth_timestamp` and wall time. */
  readonly clockSkewMs: number
  /** The first short number of an order or card. */
  readonly firstShortNumber: number
  /** Longest wait of `sync/account-verification` for the final status. After it, the answer contains the current status. */
  readonly syncWaitMs: number
  /** Time after which an uncaptured hold is released. */
  readonly holdMs: number
  /** Time after which a payout-check without a confirmation ends. */
  readonly payoutCheckMs: number
  /** Time from the acceptance of a request in which it is sent again if sending failed. */
  readonly resubmitWithinMs: number
  /** Time in which an equal partial capture or return is refused unless it has an Idempotency-Key. */
  readonly repeatWindowMs: number
  /** Time after which the 3-D Secure method step counts as not completed. */
  readonly methodMs: number
  /** How long the gateway waits for the merchant's upload of missing browser data when there is no method step. */
  readonly browserMs: number
  /**
   * Time limit of a challenge. A challenge that is not finished by then ends the payment as not authenticated. It must be below
   * twice `resubmitWithinMs`, the time after which CVVs are erased.
   */
  readonly challengeMs: number
  /** Time after which a payout without its second approval ends. */
  readonly approvalMs: number
  /** Time after which a hosted page ends. */
  readonly sessionMs: number
  /** Largest number of payment attempts on one hosted page. */
  readonly sessionAttempts: number
  /**
   * Largest numbers of jobs that run at once: requests to the bank, to the 3-D Secure server, callbacks, requests to the payout
   * rail, and recurring payments. A merchant without a running job gets one place beyond the limit.
   */
  readonly bankConcurrency: number
  readonly threedsConcurrency: number
  readonly callbackConcurrency: number
  readonly railConcurrency: number
  readonly recurringConcurrency: number
  /**
   * Largest number of claimed jobs in each queue of this process, such as the queue of bank requests and that of callbacks. Each
   * merchant may have one beyond the limit.
   */
  readonly agendaBacklog: number
  /** How often the scheduler looks for what is due when nothing wakes it. */
  readonly agendaTickMs: number
  /**
   * Largest number of requests per second and in one burst, for each merchant and for each remote address. 0 per second: no
   * limit.
   */
  readonly merchantRate: { readonly perSecond: number; readonly burst: number }
  readonly addressRate: { readonly perSecond: number; readonly burst: number }
  /** Limits of page requests of one hosted session, and of payment attempts from one remote address over all sessions. */
  readonly sessionRate: { readonly perSecond: number; readonly burst: number }
  readonly attemptRate: { readonly perSecond: number; readonly burst: number }
  /** Time from the end of the last request of an order until its card data is erased. */
  readonly cardRetentionMs: number
  /** Limit of new payments with one card, over all operations and merchants' endpoints. */
  readonly cardRate: { readonly perSecond: number; readonly burst: number }
  /** CIDR ranges of the deployment's own proxies, whose `X-Forwarded-For` is trusted. */
  readonly trustedProxies: ReadonlyArray<string>
  /** Whether plain http is refused in merchants' addresses. */
  readonly production: boolean
  /** The rules for the addresses that callbacks may go to. */
  readonly addressPolicy: AddressPolicy.AddressPolicy
  /** Whether the scheduler is paused and carries out no jobs, for benchmarks and maintenance. */
  readonly agendaPaused: boolean
}

export const defaults: Settings = {
  publicBaseUrl: undefined,
  dialects: ["json"],
  maxBodyBytes: 256 * 1024,
  maxParameters: 200,
  bodyTimeoutMs: 10_000,
  headersTimeoutMs: 5_000,
  clockSkewMs: 300_000,
  firstShortNumber: 1,
  syncWaitMs: 30_000,
  holdMs: 7 * dayMs,
  payoutCheckMs: dayMs,
  resubmitWithinMs: 15 * minuteMs,
  repeatWindowMs: dayMs,
  methodMs: 10_000,
  browserMs: 30_000,
  challengeMs: 10 * minuteMs,
  approvalMs: dayMs,
  sessionMs: 30 * minuteMs,
  sessionAttempts: 3,
  bankConcurrency: 64,
  threedsConcurrency: 64,
  callbackConcurrency: 64,
  railConcurrency: 64,
  recurringConcurrency: 32,
  agendaBacklog: 512,
  agendaTickMs: 500,
  merchantRate: { perSecond: 200, burst: 1000 },
  addressRate: { perSecond: 500, burst: 2000 },
  sessionRate: { perSecond: 3, burst: 60 },
  attemptRate: { perSecond: 2, burst: 100 },
  cardRetentionMs: 400 * dayMs,
  cardRate: { perSecond: 0.2, burst: 30 },
  trustedProxies: [],
  production: false,
  addressPolicy: AddressPolicy.publicOnly,
  agendaPaused: false
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
