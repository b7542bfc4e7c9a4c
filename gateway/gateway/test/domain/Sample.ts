/** Rows for tests of pure decisions: a preauth of 100.00 USD, changed as a case needs it. */

import { HostedSession } from "../../src/hosted/decide/HostedSession.ts"
import type { Job } from "../../src/kernel/Job.ts"
import { Resolution } from "../../src/orders/decide/Resolve.ts"
import { Order } from "../../src/orders/record/Order.ts"
import { type BankRequest, OrderRequest } from "../../src/orders/record/OrderRequest.ts"
import { Payout } from "../../src/recipients/Recipient.ts"
import { Occurrence, Subscription } from "../../src/recurring/decide/Subscription.ts"
import { row } from "../Row.ts"

/** The customer's card and address. */
export const card = {
  bin: "444433",
  lastFour: "1111",
  cardType: "VISA",
  cardholder: "JOHN SMITH",
  expireMonth: 12,
  expireYear: 2030,
  email: "john@shop.example"
} as const

export const preauth = (changes: Partial<Order> = {}): Order => ({
  ...row(Order, {}),
  orderId: "1",
  version: 3,
  merchantId: "shop",
  endpointId: "7",
  clientOrderId: "INV-1",
  requestId: "2",
  kind: "preauth",
  initiator: "cardholder",
  hasCvv: 1,
  state: "authorized",
  currency: "USD",
  amountMinor: 10_000,
  authorizedMinor: 10_000,
  ...card,
  description: "Two tickets",
  ipAddress: "203.0.113.7",
  createdAtMs: 1_000,
  ...changes
})

export const sale = (changes: Partial<Order> = {}): Order =>
  preauth({ kind: "sale", state: "settled", capturedMinor: 10_000, ...changes })

export const verification = (changes: Partial<Order> = {}): Order =>
  preauth({ kind: "verification", state: "verified", amountMinor: 0, authorizedMinor: 0, ...changes })

export const transfer = (changes: Partial<Order> = {}): Order => sale({ kind: "transfer", ...changes })

export const eligibility = (changes: Partial<Order> = {}): Order => verification({ kind: "eligibility", ...changes })

export const request = (changes: Partial<BankRequest> = {}): BankRequest => ({
  ...row(OrderRequest, {}),
  requestId: "2",
  merchantId: "shop",
  orderId: "1",
  operation: "CAPTURE",
  action: "capture",
  sequence: 1,
  amountMinor: 4_000,
  hasAmount: 1,
  progress: "processing",
  fingerprint: "v1.f",
  acceptedAtMs: 1_000,
  ...changes
})

export const job = (changes: Partial<Job> = {}): Job => ({
  jobId: "bank:2",
  kind: "bank",
  merchantId: "m",
  subject: "2",
  dueAtMs: 1_000,
  openAttempts: 1,
  tries: 0,
  startedAtMs: 1_000,
  token: "mine",
  leaseUntilMs: 60_000,
  ...changes
})

/** 10.00 USD a month from January 31st, 2027, charged by card until 2030. */
export const subscription = (changes: Partial<Subscription> = {}): Subscription => ({
  ...row(Subscription, {}),
  subscriptionId: "9",
  version: 4,
  merchantId: "shop",
  endpointId: "7",
  orderId: "1",
  clientOrderId: "INV-1",
  state: "active",
  currency: "USD",
  amountMinor: 1_000,
  period: "monthly",
  interval: 1,
  anchorDay: "2027-01-31",
  timeZone: "UTC",
  next: 1,
  encryptedPan: Uint8Array.of(1, 2, 3),
  panHash: "v1.pan",
  ...card,
  description: "Club",
  country: "US",
  createdAtMs: 1_000,
  ...changes
})

export const occurrence = (changes: Partial<Occurrence> = {}): Occurrence => ({
  ...row(Occurrence, {}),
  subscriptionId: "9",
  n: 1,
  day: "2027-02-28",
  progress: "charging",
  orderId: "1",
  attempts: 1,
  firstAtMs: Date.UTC(2027, 1, 28),
  ...changes
})

export const payout = (changes: Partial<Payout> = {}): Payout => ({
  ...row(Payout, {}),
  orderId: "1",
  version: 1,
  merchantId: "shop",
  destinationKind: "account",
  encryptedDestination: new Uint8Array([1]),
  recipient: "v1.r",
  masked: "****",
  createdAtMs: 1_000,
  ...changes
})

/** A hosted page on which the customer has one of three attempts under way. */
export const session = (changes: Partial<HostedSession> = {}): HostedSession => ({
  ...row(HostedSession, {}),
  token: "t",
  version: 2,
  orderId: "1",
  kind: "sale",
  attempts: 1,
  maxAttempts: 3,
  attemptId: "5",
  paying: 1,
  expiresAtMs: 60_000,
  ...changes
})

/** What an operator states of such a request. */
export const statement = { outcome: "declined", evidence: "Ms Smith", approvalCode: null, processorTxId: null } as const

/** What an operator proposes of a request whose outcome nobody knows: that the bank declined it. */
export const resolution = (changes: Partial<Resolution> = {}): Resolution => ({
  ...row(Resolution, {}),
  requestId: "2",
  version: 1,
  orderId: "1",
  reference: "1-sale-0",
  outcome: "declined",
  evidence: "Ms Smith",
  amountMinor: 10_000,
  proposedBy: "operator:alice",
  proposedAtMs: 1,
  ...changes
})
