/** Compares one order with its ledger entries and the bank's totals: pure, so that tests can inject errors. */

import type { Evidence } from "../../kernel/Evidence.ts"
import type { LedgerEntry } from "../../kernel/LedgerTable.ts"
import * as LedgerTable from "../../kernel/LedgerTable.ts"
import type { BankTotals, RailTotals } from "../../orders/bank/BankBooks.ts"
import * as FollowUp from "../../orders/decide/FollowUp.ts"
import * as LateFailure from "../../orders/decide/LateFailure.ts"
import * as Unexpected from "../../orders/decide/Unexpected.ts"
import * as Actions from "../../orders/record/Actions.ts"
import * as Booking from "../../orders/record/Booking.ts"
import * as Lifecycle from "../../orders/record/Lifecycle.ts"
import { isCardKind, type Order } from "../../orders/record/Order.ts"
import type { OrderRequest } from "../../orders/record/OrderRequest.ts"
import * as PayoutLifecycle from "../../orders/record/PayoutLifecycle.ts"
import type { Funding } from "../../payouts/decide/Fund.ts"

/** One difference. */
export interface Finding {
  readonly where: string
  readonly expected: string
  readonly actual: string
}

const differ = (where: string, expected: number | bigint, actual: number | bigint): ReadonlyArray<Finding> =>
  BigInt(expected) === BigInt(actual) ? [] : [{ where, expected: String(expected), actual: String(actual) }]

/** Compares an amount of which a part may still be in flight. */
const between = (where: string, expected: number, inFlightMinor: number, actual: number): ReadonlyArray<Finding> =>
  expected <= actual && actual <= expected + inFlightMinor
    ? []
    : [
        {
          where,
          expected: inFlightMinor === 0 ? String(expected) : `${expected} to ${expected + inFlightMinor}`,
          actual: String(actual)
        }
      ]

const heldMinor = (order: Order): number =>
  Lifecycle.isHeld(order.state) ? order.authorizedMinor - order.capturedMinor : 0

/** Returns the amount that moved from card to card. It is not the merchant's money. */
const transferredMinor = (order: Order): number => (order.kind === "transfer" ? order.capturedMinor : 0)

/** Returns the balances that the ledger must have for an order, from the order's amounts. */
export const expectedBalances = (order: Order): ReadonlyArray<readonly [LedgerTable.AccountName, number]> => {
  const heldBalance = heldMinor(order)
  const settled = order.capturedMinor - order.refundedMinor - order.chargedBackMinor
  const transferred = transferredMinor(order)
  return [
    ["authorised", heldBalance],
    ["authorised_contra", 0 - heldBalance],
    ["merchant_settlement", settled - transferred],
    ["acquirer_receivable", 0 - settled],
    ...payoutBalances(order)
  ]
}

/** Returns the balances of a payout: its amount is reserved until it ends, and booked out once it is paid. */
const payoutBalances = (order: Order): ReadonlyArray<readonly [LedgerTable.AccountName, number]> => {
  if (order.kind === "transfer") return [["payout_rail", transferredMinor(order)]]
  if (isCardKind(order.kind)) return []
  const heldBalance = PayoutLifecycle.holding.has(order.state) ? order.amountMinor : 0
  const gone = PayoutLifecycle.isPaid(order.state) ? order.amountMinor : 0
  return [
    ["payout_available", 0 - heldBalance - gone],
    ["payout_held", heldBalance],
    ["payout_rail", gone]
  ]
}

/** Compares an operator's posting with its ledger entries. */
export const ofFunding = (funding: Funding, entries: ReadonlyArray<LedgerEntry>): ReadonlyArray<Finding> => {
  const at = `funding ${funding.reference}`
  const into = LedgerTable.account(funding, "payout_available")
  const booked = entries.reduce((sum, { account, minor }) => sum + (account === into ? BigInt(minor) : 0n), 0n)
  return differ(`${at}: ${into}`, funding.amountMinor, booked)
}

/**
 * Compares a payout with the rail's totals. `looked`: no further inquiry is planned, so that a late refusal must be recorded
 * here.
 */
export const ofRail = (order: Order, rail: RailTotals, looked: boolean): ReadonlyArray<Finding> => {
  if (!Lifecycle.isFinal(order.state)) return []
  const at = `order ${order.orderId}`
  const isBounced = PayoutLifecycle.isBounced(order.state)
  const isPaid = PayoutLifecycle.isPaid(order.state) || isBounced
  // A payment that the rail confirmed and refused before the gateway had either answer was never paid.
  if (!isPaid) return differ(`${at}: paid by the rail`, 0, rail.paidMinor - rail.refusedLateMinor)
  const refused = isBounced ? order.amountMinor : 0
  return [
    ...differ(`${at}: paid by the rail`, order.amountMinor, rail.paidMinor),
    ...(looked ? differ(`${at}: refused late by the rail`, refused, rail.refusedLateMinor) : [])
  ]
}

/** The amount of the order in which each follow-up is counted while it is under way. */
const under: Readonly<Record<Actions.FollowUpAction, "capturing" | "returning" | undefined>> = {
  capture: "capturing",
  refund: "returning",
  refundThenVoid: "returning",
  // What a void releases is whatever is left of the hold.
  void: undefined
}

const sum = (requests: ReadonlyArray<OrderRequest>, counted: "capturing" | "returning"): number =>
  requests
    .filter(
      (request) => Unexpected.isOpen(request) && Actions.isFollowUp(request.action) && under[request.action] === counted
    )
    .reduce((total, { amountMinor }) => total + amountMinor, 0)

/** Returns how an answer ends its request; undefined if it is not definite. */
const verdictOf = (answer: string): "approved" | "declined" | undefined =>
  answer.includes('"_tag":"Approved"') ? "approved" : answer.includes('"_tag":"Declined"') ? "declined" : undefined

/** Whether the bank made sure, at the time of the answer or after it, that the request has no effect. */
const isReversedAfter = ({ atMs, reference }: Evidence, answers: ReadonlyArray<Evidence>): boolean =>
  answers.some(
    (later) => later.reference === reference && later.atMs >= atMs && later.answer.includes('"reversed":true')
  )

/** Kinds of references that are booked. An answer to a check of a card or of a recipient contradicts nothing. */
const books: ReadonlySet<string> = new Set(Booking.kinds)

/**
 * Compares an answer that was recorded as evidence with the outcome of its request. A rail may refuse a payment after it has
 * confirmed it, and a request may fail at the bank after its approval, or be reversed. `answers`: all evidence of the order.
 */
export const ofEvidence = (
  evidence: Evidence,
  requests: ReadonlyArray<OrderRequest>,
  answers: ReadonlyArray<Evidence>
): ReadonlyArray<Finding> => {
  const { answer, atMs, orderId, reference } = evidence
  const parsed = Booking.parse(reference)
  if (parsed === undefined || !books.has(parsed.kind)) return []
  const request = requests.find((each) => each.sequence === parsed.sequence && each.finishedAtMs !== null)
  const verdict = verdictOf(answer)
  const mayFailLater = parsed.kind === "pay" || (request !== undefined && LateFailure.isFailedAfterwards(request))
  const isRefusedLate = mayFailLater && atMs < (request?.finishedAtMs ?? 0)
  const wasApproved = request?.progress === "approved" || isRefusedLate
  const contradicts =
    verdict === "approved" ? !wasApproved && !isReversedAfter(evidence, answers) : request?.progress === "approved"
  return request === undefined || verdict === undefined || !contradicts
    ? []
    : [{ where: `order ${orderId}: what the bank said of ${reference}`, expected: request.progress, actual: verdict }]
}

export const ofOrder = (
  order: Order,
  entries: ReadonlyArray<LedgerEntry>,
  requests: ReadonlyArray<OrderRequest>,
  bank: BankTotals | undefined | "notCompared"
): ReadonlyArray<Finding> => {
  const at = `order ${order.orderId}`
  const findings: Array<Finding> = []
  const balances = new Map<string, bigint>()
  for (const { account, minor } of entries) balances.set(account, (balances.get(account) ?? 0n) + BigInt(minor))
  for (const [name, expected] of expectedBalances(order)) {
    const account = LedgerTable.account(order, name)
    findings.push(...differ(`${at}: ${account}`, expected, balances.get(account) ?? 0))
    balances.delete(account)
  }
  for (const [account, minor] of balances) findings.push(...differ(`${at}: ${account}`, 0, minor))

  if (!isCardKind(order.kind)) return findings
  const followUps = requests.filter(({ action }) => !Actions.isCreation(action))
  findings.push(
    ...differ(`${at}: amount being captured`, sum(followUps, "capturing"), order.capturingMinor),
    ...differ(`${at}: amount being returned`, sum(followUps, "returning"), order.refundingMinor),
    ...differ(`${at}: follow-ups under way`, followUps.filter(Unexpected.isOpen).length, order.inFlightCount)
  )
  if (order.capturedMinor + order.capturingMinor > order.authorizedMinor) {
    findings.push({
      where: `${at}: captured`,
      expected: `at most ${order.authorizedMinor}`,
      actual: `${order.capturedMinor} + ${order.capturingMinor}`
    })
  }
  if (order.refundedMinor + order.refundingMinor > order.capturedMinor) {
    findings.push({
      where: `${at}: returned`,
      expected: `at most ${order.capturedMinor}`,
      actual: `${order.refundedMinor} + ${order.refundingMinor}`
    })
  }
  if (Lifecycle.isFinal(order.state) && order.chargedBackMinor > order.capturedMinor + order.capturingMinor) {
    findings.push({
      where: `${at}: charged back`,
      expected: `at most ${order.capturedMinor + order.capturingMinor}`,
      actual: `${order.chargedBackMinor}`
    })
  }
  if (!Lifecycle.isApproved(order.state)) {
    findings.push(...differ(`${at}: money of a payment that is ${order.state}`, 0, order.authorizedMinor))
  }
  // The single bookings of an order without an outcome are compared by their age.
  if (bank !== "notCompared" && Lifecycle.isFinal(order.state)) {
    const { authorizedMinor, capturedMinor, capturingMinor, refundedMinor, refundingMinor } = order
    const voidingMinor = order.voiding === 1 ? authorizedMinor - capturedMinor : 0
    findings.push(
      ...differ(`${at}: authorised at the bank`, authorizedMinor, bank?.authorizedMinor ?? 0),
      ...between(`${at}: captured at the bank`, capturedMinor, capturingMinor, bank?.capturedMinor ?? 0),
      ...differ(`${at}: transferred at the bank`, transferredMinor(order), bank?.transferredMinor ?? 0),
      ...between(`${at}: refunded at the bank`, refundedMinor, refundingMinor, bank?.refundedMinor ?? 0),
      ...(bank?.chargedBackMinor === undefined
        ? []
        : differ(`${at}: charged back at the bank`, order.chargedBackMinor, bank.chargedBackMinor)),
      ...between(`${at}: released at the bank`, FollowUp.voidedMinor(order), voidingMinor, bank?.voidedMinor ?? 0)
    )
  }
  return findings
}
