/** One order at the bank of a contract suite, with the requests that a case may send about it. */

import assert from "node:assert/strict"
import {
  Acquirer,
  type AcquirerError,
  type Authorization,
  type BankAnswer,
  type BankCard,
  type FollowUpKind,
  hasInquiry,
  type Inquiry,
  type RequestAnswer
} from "@pay/gateway/Acquirer"
import type { AttemptReference } from "@pay/gateway/BankBooks"
import { Effect, Random } from "effect"
import * as Contract from "./Contract.ts"

/** Waits for the outcome of a request that the bank has accepted. */
export type Outcome = (inquiry: Inquiry) => Effect.Effect<BankAnswer, AcquirerError>

/** One order at the bank, with the requests that a case may send about it. */
export interface ContractBank {
  readonly acquirer: Acquirer["Service"]
  readonly authorization: (changes?: Partial<Authorization>) => Authorization
  readonly authorize: (changes?: Partial<Authorization>) => Effect.Effect<BankAnswer, AcquirerError>
  /** Sends a follow-up of the authorisation, under the given reference or a new one. */
  readonly ask: (
    kind: FollowUpKind,
    amountMinor: number,
    reference?: AttemptReference
  ) => Effect.Effect<BankAnswer, AcquirerError>
  /** Whether the bank answers inquiries about payments. */
  readonly isInquired: boolean
  /** Inquires about the authorisation, or about a request under another reference. */
  readonly inquire: (changes?: Partial<Inquiry>) => ReturnType<Acquirer["Service"]["inquire"]>
}

const inquiredOnce =
  ({ inquire }: Acquirer["Service"]): Outcome =>
  (inquiry) =>
    Effect.map(inquire(inquiry), (answer) => {
      assert.ok(answer._tag === "Approved" || answer._tag === "Declined", `the outcome is ${answer._tag}`)
      return answer
    })

/** Opens an order at the bank of the context. `outcome`: see the options of the suite. */
export const open: (
  card: BankCard,
  terms: Contract.ContractOrder,
  outcome: Outcome | undefined
) => Effect.Effect<ContractBank, never, Acquirer> = Effect.fnUntraced(function* (
  card: BankCard,
  terms: Contract.ContractOrder,
  given: Outcome | undefined
) {
  const acquirer = yield* Acquirer
  const outcome = given ?? inquiredOnce(acquirer)
  const orderId = `${yield* Random.nextIntBetween(1, Number.MAX_SAFE_INTEGER)}`
  let requests = 0
  let processorTxId: string | undefined
  const authorization = (changes: Partial<Authorization> = {}): Authorization => ({
    reference: `${orderId}-authorize-0`,
    ...Contract.namesOf(orderId, terms),
    amountMinor: terms.amountMinor,
    card,
    capture: false,
    ...changes
  })
  const inquiry = (changes: Partial<Inquiry> = {}): Inquiry => ({
    ...{ reference: authorization().reference, kind: "authorize" as const, amountMinor: terms.amountMinor },
    ...Contract.namesOf(orderId, terms),
    processorTxId: undefined,
    original: undefined,
    ...changes
  })
  const final = (answer: RequestAnswer, request: Partial<Inquiry>): Effect.Effect<BankAnswer, AcquirerError> =>
    answer._tag === "Accepted"
      ? outcome(inquiry({ ...request, processorTxId: answer.processorTxId }))
      : Effect.succeed(answer)
  return {
    acquirer,
    authorization,
    authorize: (changes) =>
      Effect.flatMap(acquirer.authorize(authorization(changes)), (answer) => {
        if (answer._tag !== "Declined") processorTxId = answer.processorTxId
        return final(answer, { reference: authorization(changes).reference })
      }),
    ask: (kind, amountMinor, given) => {
      requests += 1
      const own: AttemptReference = `${orderId}-${kind}-${requests}`
      const reference = given ?? own
      const original = Contract.originalOf(authorization().reference, terms, processorTxId)
      const request = { reference, ...Contract.namesOf(orderId, terms), original, amountMinor }
      return Effect.flatMap(acquirer.followUp(kind, request), (answer) => final(answer, { ...request, kind }))
    },
    isInquired: hasInquiry(acquirer.capabilities.unknownOutcomes, "authorize"),
    inquire: (changes) => acquirer.inquire(inquiry(changes))
  } satisfies ContractBank
})
