/**
 * Computes the bank's answer to a request from the planned verdict and the bank's books. The functions are pure. An approved
 * follow-up counts as used before its answer is known, so that the sums stay right when the answer becomes known.
 */
import { declines } from "@pay/schema/Decline"
import * as BankLedger from "./BankLedger.ts"
import type { Answer, Booking, Request } from "./Booking.ts"
import { answerAt, isKnown } from "./Booking.ts"
import type { Verdict } from "./Outcome.ts"

type Reason = { readonly code: number; readonly message: string }

/** Reasons for which the books decline a request. The codes are action codes of ISO 8583:1993. */
const refusals = {
  noOriginal: { code: 914, message: "The original transaction was not found" },
  transferred: { code: 902, message: "The money is with the card that received it" },
  wrongCurrency: { code: 902, message: "The currency is not the original's" },
  wrongAmount: declines.invalidAmount
} as const satisfies Record<string, Reason>

/** Returns why the books do not permit the request, whatever the verdict is. `undefined` if they permit it. */
const refusal = (books: BankLedger.BankLedger, request: Request, nowMs: number): Reason | undefined => {
  const amountMinor = request.amountMinor
  if (request.kind === "eligible") return undefined
  if (request.kind === "authorize") {
    if (request.recipient === undefined) return amountMinor < 0 ? refusals.wrongAmount : undefined
    return amountMinor > 0 && request.capture === true ? undefined : refusals.wrongAmount
  }
  if (request.kind === "check" || request.kind === "pay") return amountMinor > 0 ? undefined : refusals.wrongAmount
  const original = books.find(request.original ?? "")
  if (original === undefined || !holds(original, request, nowMs)) return refusals.noOriginal
  if (original.request.recipient !== undefined) return refusals.transferred
  if (original.request.currency !== request.currency) return refusals.wrongCurrency
  const others = books
    .ofOrder(request.orderId)
    .filter((other) => other.request.original === request.original && other.request.reference !== request.reference)
  const used = BankLedger.sum([original, ...others], nowMs)
  const openMinor = used.authorizedMinor - used.capturedMinor - used.voidedMinor
  const totals = BankLedger.sum([original, ...others.filter((other) => isKnown(other, nowMs))], nowMs)
  const fits = {
    capture: amountMinor <= openMinor,
    void: amountMinor === openMinor,
    refund: amountMinor <= totals.capturedMinor - used.refundedMinor
  }
  return amountMinor > 0 && fits[request.kind] ? undefined : refusals.wrongAmount
}

/** Whether the booking is an approved authorisation of the same order, and is known. */
const holds = (original: Booking, request: Request, nowMs: number): boolean =>
  original.request.kind === "authorize" &&
  original.request.orderId === request.orderId &&
  answerAt(original, nowMs)._tag === "Approved" &&
  isKnown(original, nowMs)

/** Returns the bank's answer to a request at the time `nowMs`. */
export const answer = (books: BankLedger.BankLedger, request: Request, verdict: Verdict, nowMs: number): Answer => {
  const reason = verdict._tag === "Decline" ? verdict : refusal(books, request, nowMs)
  if (reason !== undefined) return { _tag: "Declined", code: reason.code, message: reason.message }
  return {
    _tag: "Approved",
    approvalCode: `${(books.size + 1) % 1_000_000}`.padStart(6, "0"),
    amountMinor: request.amountMinor,
    processorTxId: `PNTEST-${request.kind === "authorize" || request.kind === "eligible" ? request.orderId : request.reference}`
  }
}
