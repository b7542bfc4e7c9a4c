/** The gateway's numbers, each with its default and its unit (decisions: limits, orders, callback). */
import type { Dialect } from "@pay/schema/Dialect"
import { Context } from "effect"
import * as AddressPolicy from "../network/AddressPolicy.ts"

const minuteMs = 60_000
const hourMs = 60 * minuteMs
const dayMs = 24 * hourMs

export interface Settings {
  /** Scheme, host and path prefix under which merchants reach the gateway; undefined: where it listens. */
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
  /** How long `sync/account-verification` waits for the final status before it answers how the order stands. */
  readonly syncWaitMs: number
  /** An uncaptured hold is released after this. */
  readonly holdMs: number
  /** A payout-check that nobody confirms is over after this. */
  readonly payoutCheckMs: number
  /** A request whose sending failed is sent again only within this of its acceptance. */
  readonly resubmitWithinMs: number
  /** An equal partial capture or return within this is refused unless it brings an Idempotency-Key. */
  readonly repeatWindowMs: number
  /** The 3-D Secure method step counts as not completed after this. */
  readonly methodMs: number
  /** How long the gateway waits for the merchant's upload of missing browser data when there is no method step. */
  readonly browserMs: number
  /** A challenge that is not finished by then ends the payment: not authenticated. Below twice `resubmitWithinMs`, when CVVs are forgotten. */
  readonly challengeMs: number
  /** A payout that waits for its second approver ends after this. */
  readonly approvalMs: number
  /** A hosted page ends after this. */
  readonly sessionMs: number
  /** Payment attempts on one hosted page. */
  readonly sessionAttempts: number
  /** Questions to the bank, to the 3-D Secure server, callbacks, questions to the payout rail, and turns of recurring payments, under way at once. A merchant of whom nothing is under way gets one place beyond. */
  readonly bankConcurrency: number
  readonly threedsConcurrency: number
  readonly callbackConcurrency: number
  readonly railConcurrency: number
  readonly recurringConcurrency: number
  /** Items this process may hold claimed and not ended: questions to the bank, and as many callbacks; one of each merchant beyond. */
  readonly agendaBacklog: number
  /** How often the scheduler looks for what is due when nothing wakes it. */
  readonly agendaTickMs: number
  /** Requests a second and in one burst, per merchant and per remote address; 0 a second: no limit. */
  readonly merchantRate: { readonly perSecond: number; readonly burst: number }
  readonly addressRate: { readonly perSecond: number; readonly burst: number }
  /** Page requests of one hosted session; and payment attempts from one remote address, over all sessions. */
  readonly sessionRate: { readonly perSecond: number; readonly burst: number }
  readonly attemptRate: { readonly perSecond: number; readonly burst: number }
  /** Card data of an order is erased so long after its last request ended. */
  readonly cardRetentionMs: number
  /** New payments with one card, over all operations and merchants' endpoints. */
  readonly cardRate: { readonly perSecond: number; readonly burst: number }
  /** CIDR ranges of our own proxies, whose `X-Forwarded-For` is believed. */
  readonly trustedProxies: ReadonlyArray<string>
  /** Plain http is refused in merchants' addresses. */
  readonly production: boolean
  /** The rules for the addresses that callbacks may go to. */
  readonly addressPolicy: AddressPolicy.AddressPolicy
  /** The scheduler carries nothing out until it is resumed: for benchmarks and maintenance. */
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
 * The settings of a sandbox. They know the older dialect, which its merchants' endpoints take one by one, and lift the limits per merchant, address, attempt and card: its merchant, machine and test cards
 * are shared, and load tests run there.
 */
export const sandboxDefaults: Settings = {
  ...defaults,
  dialects: ["json", "pairs"],
  merchantRate: noLimit,
  addressRate: noLimit,
  attemptRate: noLimit,
  cardRate: noLimit
}

/** Read where it is needed; a deployment or a test overrides single values. */
export const Settings = Context.Reference<Settings>("@pay/gateway/Settings", { defaultValue: () => defaults })

/** Offsets of callback tries from the event: 30 over 14 days, then the event is parked. */
export const callbackOffsetsMs: ReadonlyArray<number> = [
  ...[2, 5, 10, 20, 30].map((minutes) => minutes * minuteMs),
  ...[1, 2, 3, 6, 12, 18].map((hours) => hours * hourMs),
  ...[1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 11.25, 12, 12.25, 12.5, 13, 13.25, 13.5, 14].map((days) => days * dayMs)
]
