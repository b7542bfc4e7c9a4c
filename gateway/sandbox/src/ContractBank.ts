/** One order at the bank of a contract suite, with the requests that a case may send about it. */

import assert from "node:assert/strict"
import {
  Acquirer,
  type AcquirerError,
  type Authorization,
  type BankAnswer,
  type BankCard,
  type FollowUp,
  type FollowUpKind,
  hasInquiry,
  type Inquiry,
  type InquiryAnswer,
  type RequestAnswer
} from "@pay/gateway/Acquirer"
import type { AttemptReference } from "@pay/gateway/BankBooks"
import { Effect, Random } from "effect"
import * as Contract from "./Contract.ts"

/** Waits for the outcome of a request that the bank has accepted. */
export type Outcome = (inquiry: Inquiry) => Effect.Effect<BankAnswer, AcquirerError>

/** One order at the bank, with the requests that a case may send about it. No answer has the bank's time. */
export interface ContractBank {
  readonly acquirer: Acquirer["Service"]
  readonly authorize: (changes?: Partial<Authorization>) => Effect.Effect<BankAnswer, AcquirerError>
  /** Authorises, and fails if the bank answers otherwise. */
  readonly pay: (expected: BankAnswer["_tag"], changes?: Partial<Authorization>) => Effect.Effect<void, AcquirerError>
  /** Asks whether the card can send money. Follow-ups and inquiries are then about this question. */
  readonly eligible: () => Effect.Effect<BankAnswer, AcquirerError>
  /** Sends a follow-up of the authorisation. */
  readonly ask: (kind: FollowUpKind, amountMinor: number) => Effect.Effect<BankAnswer, AcquirerError>
  /** Sends a follow-up of the authorisation, and sends it again. */
  readonly askTwice: (
    kind: FollowUpKind,
    amountMinor: number
  ) => Effect.Effect<readonly [BankAnswer, BankAnswer], AcquirerError>
  /** Sends a follow-up of the authorisation, and fails if the bank answers otherwise. */
  readonly follow: (
    expected: BankAnswer["_tag"],
    kind: FollowUpKind,
    amountMinor: number
  ) => Effect.Effect<void, AcquirerError>
  /** Whether the bank answers inquiries about payments. */
  readonly isInquired: boolean
  /** Inquires about the authorisation, or about a request under another reference. */
  readonly inquire: (changes?: Partial<Inquiry>) => Effect.Effect<InquiryAnswer, AcquirerError>
}

/** Longest pause between two inquiries about a request that the bank has accepted. */
const pauseMs = 1_000

/** Inquires until the bank has an outcome, for as long as it may process a request. */
const inquired = ({ capabilities, inquire }: Acquirer["Service"]): Outcome =>
  Effect.fnUntraced(function* (inquiry) {
    const { longestProcessingMs } = capabilities
    for (let waitedMs = 0; ; waitedMs += pauseMs) {
      const answer = yield* inquire(inquiry)
      if (answer._tag === "Approved" || answer._tag === "Declined") return answer
      assert.ok(
        waitedMs < longestProcessingMs,
        `the outcome of the ${inquiry.kind} is still ${answer._tag} after longestProcessingMs, ${longestProcessingMs}`
      )
      yield* Effect.sleep(Math.min(pauseMs, longestProcessingMs))
    }
  })

/** Fails if the answer to a request is another one. */
export const expectAnswer = (expected: BankAnswer["_tag"], request: string, answer: RequestAnswer): void =>
  assert.ok(answer._tag === expected, `${request} was ${answer._tag}, not ${expected}: ${JSON.stringify(answer)}`)

/** Returns what waits for the outcome of a request that the bank has only accepted. */
export const finalOf = (acquirer: Acquirer["Service"], outcome: Outcome = inquired(acquirer)) => ({
  /** The bank's final answer to a request; `inquiry` asks about it. */
  final: (answer: RequestAnswer, inquiry: Inquiry): Effect.Effect<BankAnswer, AcquirerError> =>
    answer._tag === "Accepted" ? outcome({ ...inquiry, processorTxId: answer.processorTxId }) : Effect.succeed(answer)
})

/** Opens an order at the bank of the context. `outcome`: see the options of the suite. */
export const open: (
  card: BankCard,
  terms: Contract.ContractOrder,
  outcome: Outcome | undefined
) => Effect.Effect<ContractBank, never, Acquirer> = Effect.fnUntraced(function* (
  card: BankCard,
  terms: Contract.ContractOrder,
  outcome: Outcome | undefined
) {
  const acquirer = yield* Acquirer
  const { final } = finalOf(acquirer, outcome)
  const orderId = `${yield* Random.nextIntBetween(1, Number.MAX_SAFE_INTEGER)}`
  let requests = 0
  let paid: Authorization | undefined
  let processorTxId: string | undefined
  const authorization = (changes: Partial<Authorization> = {}): Authorization => ({
    reference: `${orderId}-${kindOf(changes)}-0`,
    ...Contract.namesOf(orderId, terms),
    amountMinor: terms.amountMinor,
    card,
    capture: false,
    ...changes
  })
  const inquiry = (changes: Partial<Inquiry> = {}): Inquiry => ({
    ...{ reference: (paid ?? authorization()).reference, kind: kindOf(paid ?? {}), amountMinor: terms.amountMinor },
    ...Contract.namesOf(orderId, terms),
    processorTxId: undefined,
    original: undefined,
    ...changes
  })
  const authorize: ContractBank["authorize"] = Effect.fnUntraced(function* (changes) {
    paid = authorization(changes)
    const answer = yield* final(yield* acquirer.authorize(paid), inquiry())
    if (answer._tag === "Approved") processorTxId = answer.processorTxId
    return Contract.timeless(answer)
  })
  const followUp = (kind: FollowUpKind, amountMinor: number): FollowUp => {
    requests += 1
    const reference: AttemptReference = `${orderId}-${kind}-${requests}`
    const original = Contract.originalOf((paid ?? authorization()).reference, terms, processorTxId)
    return { reference, ...Contract.namesOf(orderId, terms), original, amountMinor }
  }
  const send = Effect.fnUntraced(function* (kind: FollowUpKind, request: FollowUp) {
    return Contract.timeless(yield* final(yield* acquirer.followUp(kind, request), inquiry({ ...request, kind })))
  })
  const ask: ContractBank["ask"] = (kind, amountMinor) => send(kind, followUp(kind, amountMinor))
  const eligible: ContractBank["eligible"] = () => {
    paid = authorization({ reference: `${orderId}-eligibility-0` })
    const { amountMinor: _, capture: __, card, recipient: ___, ...question } = paid
    return Effect.map(acquirer.eligible({ ...question, pan: card.pan, expiry: undefined }), Contract.timeless)
  }
  return {
    acquirer,
    authorize,
    eligible,
    pay: (expected, changes) =>
      Effect.map(authorize(changes), (answer) =>
        expectAnswer(expected, `the ${kindOf(changes ?? {})} of ${terms.amountMinor}`, answer)
      ),
    ask,
    askTwice: (kind, amountMinor) => {
      const request = followUp(kind, amountMinor)
      return Effect.all([send(kind, request), send(kind, request)])
    },
    follow: (expected, kind, amountMinor) =>
      Effect.map(ask(kind, amountMinor), (answer) => expectAnswer(expected, `the ${kind} of ${amountMinor}`, answer)),
    isInquired: hasInquiry(acquirer.capabilities.unknownOutcomes, "authorize"),
    inquire: (changes) => Effect.map(acquirer.inquire(inquiry(changes)), Contract.timeless)
  } satisfies ContractBank
})

/** Returns the kind under whose reference the gateway sends an authorisation. */
const kindOf = ({ capture, recipient }: Partial<Authorization>) => {
  if (recipient !== undefined) return "transfer"
  return capture === true ? "sale" : "authorize"
}
