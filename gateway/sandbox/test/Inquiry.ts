/** Short forms of requests to the bank. */

import {
  Acquirer,
  type AcquirerError,
  type Authorization,
  type BankCard,
  type EligibilityQuestion,
  type FollowUp,
  type FollowUpKind,
  type Inquiry,
  type InquiryAnswer,
  type RequestAnswer
} from "@pay/gateway/Acquirer"
import type { AttemptReference } from "@pay/gateway/BankBooks"
import { Effect, Redacted } from "effect"
import * as Contract from "../src/Contract.ts"

export const card = (pan = "4444555566661111", cvv: string | undefined = "123"): BankCard => ({
  pan: Redacted.make(pan),
  cvv: cvv === undefined ? undefined : Redacted.make(cvv),
  expireMonth: 12,
  expireYear: 2099,
  cardholder: "JANE DOE"
})

export const withoutCvv = (pan: string): BankCard => ({ ...card(pan), cvv: undefined })

/** An authorisation of 10.00 for the order `1`. */
export const authorization = (changes: Partial<Authorization> = {}): Authorization => ({
  reference: "1-authorize-0",
  orderId: "1",
  clientOrderId: "order-1",
  merchantId: "shop",
  amountMinor: 1000,
  currency: "USD",
  card: card(),
  capture: false,
  ...changes
})

/** Returns an authorization that is a transfer to this card. */
export const transfer = (recipient: string, changes: Partial<Authorization> = {}): Authorization =>
  authorization({ capture: true, recipient: Redacted.make(recipient), ...changes })

/** An eligibility question for the order `1`. */
export const question = (changes: Partial<EligibilityQuestion> = {}): EligibilityQuestion => ({
  reference: "1-eligibility-0",
  orderId: "1",
  clientOrderId: "order-1",
  merchantId: "shop",
  currency: "USD",
  pan: card().pan,
  expiry: undefined,
  ...changes
})

/** A follow-up of the authorization of the order `1`. */
export const followUp = (
  reference: AttemptReference,
  amountMinor: number,
  changes: Partial<FollowUp> = {}
): FollowUp => ({
  reference,
  orderId: "1",
  clientOrderId: "order-1",
  merchantId: "shop",
  original: Contract.originalOf("1-authorize-0", { amountMinor: 1000 }),
  amountMinor,
  currency: "USD",
  ...changes
})

type Answer = RequestAnswer | InquiryAnswer | { readonly _tag: "NotSent" | "AnswerLost" }

const service = (ask: (acquirer: Acquirer["Service"]) => Effect.Effect<Answer, AcquirerError>) =>
  Effect.catch(Effect.flatMap(Acquirer, ask), ({ reason: { _tag } }): Effect.Effect<Answer> => Effect.succeed({ _tag }))

/** Sends the request. `NotSent` and `AnswerLost` count as answers. */
export const authorize = (changes: Partial<Authorization> = {}) =>
  service((bank) => bank.authorize(authorization(changes)))

export const eligible = (pan: string) => service((bank) => bank.eligible(question({ pan: Redacted.make(pan) })))

export const ask = (kind: FollowUpKind, askFor: FollowUp) => service((bank) => bank.followUp(kind, askFor))

/** The inquiry about a request of the order `1`. The simulated bank reads its reference only. */
export const inquiry = (reference: AttemptReference): Inquiry => ({
  reference,
  kind: "authorize",
  orderId: "1",
  clientOrderId: "order-1",
  merchantId: "shop",
  amountMinor: 1000,
  currency: "USD",
  processorTxId: undefined,
  original: undefined
})

export const inquire = (reference: AttemptReference = "1-authorize-0") =>
  service((bank) => bank.inquire(inquiry(reference)))

/** The tag of an answer, with its code. */
export const textOf = (answer: { readonly _tag: string; readonly code?: number | string }): string =>
  answer.code === undefined ? answer._tag : `${answer._tag} ${answer.code}`
