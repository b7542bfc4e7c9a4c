/**
 * The promises of every acquirer, as test cases. Each case is a program for the acquirer of its context, with references of its
 * own. The simulator's tests run all of them. The tests of an adapter to a real bank run them with cards of that bank's test
 * system.
 *
 * ```ts
 * for (const { name, run } of AcquirerContract.cases(cards)) it.effect(name, () => Effect.provide(run, SandboxAcquirer.layer()))
 * ```
 */

import assert from "node:assert/strict"
import { Acquirer, type AcquirerError, type BankAnswer, type BankCard } from "@pay/gateway/Acquirer"
import type { AttemptReference } from "@pay/gateway/BankBooks"
import { Effect } from "effect"
import * as Contract from "./Contract.ts"
import * as ContractBank from "./ContractBank.ts"

/** One promise: a program that fails if the acquirer breaks it. */
export type Case = Contract.Case<AcquirerError, Acquirer>

/** The test cards of one bank's test system, and the orders that are made with them. */
export interface Options extends Partial<Contract.ContractOrder> {
  readonly approved: BankCard
  readonly declined: BankCard
  /** The card that receives transfers. Undefined: transfers are left out. */
  readonly recipient?: BankCard["pan"] | undefined
  /** Waits for the outcome of a request that the bank has accepted. By default the bank is inquired once. */
  readonly outcome?: ContractBank.Outcome
}

const approves = (answer: BankAnswer): void =>
  assert.equal(answer._tag, "Approved", `the bank declined: ${JSON.stringify(answer)}`)
const declines = (answer: BankAnswer): void =>
  assert.equal(answer._tag, "Declined", `the bank approved: ${JSON.stringify(answer)}`)

/** Returns all cases for the cards of one bank. */
export const cases = ({ approved, declined, outcome, recipient, ...given }: Options): ReadonlyArray<Case> => {
  const terms = { ...Contract.anyOrder, ...given }
  const { amountMinor } = terms
  /** Returns the whole minor units of this many tenths of the amount. */
  const tenths = (count: number): number => Math.floor((amountMinor * count) / 10)

  const make = (
    name: string,
    advice: string,
    card: BankCard,
    run: (side: ContractBank.ContractBank) => Effect.fn.Return<void, AcquirerError>
  ): Case => ({ name, advice, run: Effect.flatMap(ContractBank.open(card, terms, outcome), Effect.fnUntraced(run)) })
  const cards = { approved, declined }

  const transfers = (recipient: BankCard["pan"]): ReadonlyArray<Case> => [
    ...(["approved", "declined"] as const).map((name) =>
      make(
        `a transfer is ${name} as a whole; a repeat and an inquiry return the same answer`,
        "Pass `recipient` to the bank as the card that receives the money, or set capabilities.transfers to false.",
        cards[name],
        function* (side) {
          const { acquirer } = side
          if (!acquirer.capabilities.transfers) return
          const requests = { capture: true, recipient }
          const answer = yield* side.authorize(requests)
          assert.equal(answer._tag.toLowerCase(), name, JSON.stringify(answer))
          assert.deepEqual(yield* side.authorize(requests), answer)
          if (side.isInquired) assert.deepEqual(yield* side.inquire(), answer)
        }
      )
    ),
    make(
      "a capture, a void and a refund of a transfer are declined",
      "The bank must not change a transfer. Answer Declined for a follow-up of one.",
      approved,
      function* (side) {
        if (!side.acquirer.capabilities.transfers) return
        approves(yield* side.authorize({ capture: true, recipient }))
        declines(yield* side.ask("capture", 1))
        declines(yield* side.ask("void", amountMinor))
        declines(yield* side.ask("refund", amountMinor))
      }
    )
  ]

  return [
    {
      name: "declares a deadline and a longest processing time that is not shorter",
      advice: "Set capabilities.longestProcessingMs to the time after which the bank books no request any more.",
      run: Effect.map(Acquirer, ({ capabilities }) => {
        assert.ok(capabilities.deadlineMs > 0)
        assert.ok(
          capabilities.longestProcessingMs >= capabilities.deadlineMs,
          `longestProcessingMs is ${capabilities.longestProcessingMs}, deadlineMs is ${capabilities.deadlineMs}`
        )
      })
    },
    make(
      "an approval has an approval code and the bank's transaction number",
      "Use a card that the bank's test system approves, and map the bank's fields to approvalCode and processorTxId.",
      approved,
      function* (side) {
        const answer = yield* side.authorize()
        assert.ok(answer._tag === "Approved" && answer.approvalCode !== "", JSON.stringify(answer))
      }
    ),
    make(
      "a decline is an answer with a code and a reason, not a failure",
      "Use a card that the bank's test system declines, and return Declined with a number as code and a message.",
      declined,
      function* (side) {
        const answer = yield* side.authorize()
        assert.ok(answer._tag === "Declined" && answer.message !== "", JSON.stringify(answer))
      }
    ),
    make(
      "a repeated authorization gets the same answer",
      "Send the reference as the bank's idempotency key. The bank must not charge it twice.",
      approved,
      function* (side) {
        assert.deepEqual(yield* side.authorize(), yield* side.authorize())
      }
    ),
    make(
      "an inquiry about an authorization returns its answer",
      "Let `inquire` ask the bank by the reference, and read its answer as `authorize` does.",
      approved,
      function* (side) {
        if (!side.isInquired) return
        assert.deepEqual(yield* side.authorize(), yield* side.inquire())
      }
    ),
    make(
      "an inquiry about a declined reference returns the decline",
      "Let `inquire` ask the bank by the reference, and read its answer as `authorize` does.",
      declined,
      function* (side) {
        if (!side.isInquired) return
        assert.deepEqual(yield* side.authorize(), yield* side.inquire())
      }
    ),
    make(
      "an inquiry about a reference that was never sent returns NotFound",
      "Return NotFound only if the bank says that it has no such reference, and CannotSay if it does not know yet.",
      approved,
      function* (side) {
        if (!side.isInquired) return
        assert.deepEqual(yield* side.inquire(), { _tag: "NotFound" })
      }
    ),
    make(
      "partial captures are approved up to the authorized amount",
      "Send amountMinor of the capture, not of the authorization. The bank must decline what exceeds the rest.",
      approved,
      function* (side) {
        const first = tenths(4)
        approves(yield* side.authorize())
        approves(yield* side.ask("capture", first))
        declines(yield* side.ask("capture", amountMinor - first + 1))
        approves(yield* side.ask("capture", amountMinor - first))
        declines(yield* side.ask("capture", 1))
      }
    ),
    make(
      "a repeated capture is booked once",
      "Send the reference of the capture as the bank's idempotency key.",
      approved,
      function* (side) {
        const part = tenths(6)
        approves(yield* side.authorize())
        const reference: AttemptReference = `${side.authorization().orderId}-capture-99`
        const first = yield* side.ask("capture", part, reference)
        assert.deepEqual(first, yield* side.ask("capture", part, reference))
        approves(yield* side.ask("capture", amountMinor - part))
      }
    ),
    make(
      "partial refunds are approved up to the captured amount",
      "Send amountMinor of the refund. The bank must decline what exceeds the captured amount.",
      approved,
      function* (side) {
        const [captured, first] = [tenths(5), tenths(2)]
        approves(yield* side.authorize())
        declines(yield* side.ask("refund", tenths(1)))
        approves(yield* side.ask("capture", captured))
        approves(yield* side.ask("refund", first))
        declines(yield* side.ask("refund", captured - first + 1))
        approves(yield* side.ask("refund", captured - first))
      }
    ),
    make(
      "a sale is captured at once: a refund is approved, a capture or a void is declined",
      "If `capture` is true, let the bank authorize and capture in one request.",
      approved,
      function* (side) {
        approves(yield* side.authorize({ capture: true }))
        declines(yield* side.ask("capture", 1))
        declines(yield* side.ask("void", amountMinor))
        approves(yield* side.ask("refund", amountMinor))
      }
    ),
    make(
      "a void releases the uncaptured amount, and a later capture is declined",
      "Let `void` release the rest of the hold under `original`, and leave captured amounts as they are.",
      approved,
      function* (side) {
        const part = tenths(3)
        approves(yield* side.authorize())
        approves(yield* side.ask("capture", part))
        approves(yield* side.ask("void", amountMinor - part))
        declines(yield* side.ask("capture", 1))
        approves(yield* side.ask("refund", part))
      }
    ),
    ...(recipient === undefined ? [] : transfers(recipient)),
    make(
      "an eligibility check is answered the same on inquiry, and authorizes nothing",
      "Let `eligible` ask the bank without a payment, or set capabilities.eligibility to false.",
      approved,
      function* (side) {
        const { acquirer } = side
        if (!acquirer.capabilities.eligibility) return
        const { card, amountMinor: _, capture: __, recipient: ___, ...question } = side.authorization()
        const answer = yield* acquirer.eligible({ ...question, pan: card.pan, expiry: undefined })
        approves(answer)
        if (side.isInquired) assert.deepEqual(yield* side.inquire({ kind: "eligibility", amountMinor: 0 }), answer)
        declines(yield* side.ask("capture", amountMinor))
      }
    ),
    make(
      "a capture, a void and a refund of a declined authorization are declined",
      "Return Declined if the bank refuses a follow-up. A refusal is an answer, not a failure.",
      declined,
      function* (side) {
        declines(yield* side.authorize())
        declines(yield* side.ask("capture", amountMinor))
        declines(yield* side.ask("void", amountMinor))
        declines(yield* side.ask("refund", amountMinor))
      }
    ),
    make(
      "a capture and a void of an authorization that was never sent are declined",
      "Return Declined if the bank does not know `original`.",
      approved,
      function* (side) {
        declines(yield* side.ask("capture", amountMinor))
        declines(yield* side.ask("void", amountMinor))
      }
    )
  ]
}
