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
import { Acquirer, type AcquirerError, type BankCard, hasInquiry } from "@pay/gateway/Acquirer"
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
  /** Waits for the outcome of a request that the bank has accepted. By default the bank is inquired until it has one. */
  readonly outcome?: ContractBank.Outcome
}

/** Says why a promise cannot be checked with an acquirer; undefined: it can be. */
type Lack = (acquirer: Acquirer["Service"]) => string | undefined

const noInquiry: Lack = ({ capabilities: { unknownOutcomes } }) =>
  hasInquiry(unknownOutcomes, "authorize") ? undefined : "capabilities.unknownOutcomes has no inquiry"
const noEligibility: Lack = ({ capabilities }) =>
  capabilities.eligibility ? undefined : "capabilities.eligibility is false"

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
    run: (side: ContractBank.ContractBank) => Effect.fn.Return<void, AcquirerError>,
    lack: Lack = () => undefined
  ): Case => {
    const notChecked = Effect.map(Acquirer, lack)
    const checked = Effect.flatMap(ContractBank.open(card, terms, outcome), Effect.fnUntraced(run))
    return {
      name,
      advice,
      notChecked,
      run: Effect.flatMap(notChecked, (why) => (why === undefined ? checked : Effect.void))
    }
  }
  const cards = { approved, declined }

  const noTransfers: Lack = ({ capabilities }) => {
    if (!capabilities.transfers) return "capabilities.transfers is false"
    return recipient === undefined ? "it needs the card that receives transfers (recipient)" : undefined
  }
  const transfers: ReadonlyArray<Case> = [
    ...(["approved", "declined"] as const).map((name) =>
      make(
        `a transfer is ${name} as a whole; a repeat and an inquiry return the same answer`,
        "Pass `recipient` to the bank as the card that receives the money, or set capabilities.transfers to false.",
        cards[name],
        function* (side) {
          const requests = { capture: true, recipient }
          const answer = yield* side.authorize(requests)
          assert.equal(answer._tag.toLowerCase(), name, JSON.stringify(answer))
          assert.deepEqual(yield* side.authorize(requests), answer)
          if (side.isInquired) assert.deepEqual(yield* side.inquire(), answer)
        },
        noTransfers
      )
    ),
    make(
      "a capture, a void and a refund of a transfer are declined",
      "The bank must not change a transfer. Answer Declined for a follow-up of one.",
      approved,
      function* (side) {
        yield* side.pay("Approved", { capture: true, recipient })
        yield* side.follow("Declined", "capture", 1)
        yield* side.follow("Declined", "void", amountMinor)
        yield* side.follow("Declined", "refund", amountMinor)
      },
      noTransfers
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
      "Use a card that the bank's test system declines, and return Declined with the bank's code and its words as message.",
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
        assert.deepEqual(yield* side.authorize(), yield* side.inquire())
      },
      noInquiry
    ),
    make(
      "an inquiry about a declined reference returns the decline",
      "Let `inquire` ask the bank by the reference, and read its answer as `authorize` does.",
      declined,
      function* (side) {
        assert.deepEqual(yield* side.authorize(), yield* side.inquire())
      },
      noInquiry
    ),
    make(
      "an inquiry about a reference that was never sent returns NotFound",
      "Return NotFound only if the bank says that it has no such reference, and CannotSay if it does not know yet.",
      approved,
      function* (side) {
        assert.deepEqual(yield* side.inquire(), Contract.timeless({ _tag: "NotFound" }))
      },
      noInquiry
    ),
    make(
      "partial captures are approved up to the authorized amount",
      "Send amountMinor of the capture, not of the authorization. The bank must decline what exceeds the rest.",
      approved,
      function* (side) {
        const first = tenths(4)
        yield* side.pay("Approved")
        yield* side.follow("Approved", "capture", first)
        yield* side.follow("Declined", "capture", amountMinor - first + 1)
        yield* side.follow("Approved", "capture", amountMinor - first)
        yield* side.follow("Declined", "capture", 1)
      }
    ),
    make(
      "a repeated capture is booked once",
      "Send the reference of the capture as the bank's idempotency key.",
      approved,
      function* (side) {
        const part = tenths(6)
        yield* side.pay("Approved")
        const [first, repeated] = yield* side.askTwice("capture", part)
        assert.deepEqual(repeated, first)
        yield* side.follow("Approved", "capture", amountMinor - part)
      }
    ),
    make(
      "partial refunds are approved up to the captured amount",
      "Send amountMinor of the refund. The bank must decline what exceeds the captured amount.",
      approved,
      function* (side) {
        const [captured, first] = [tenths(5), tenths(2)]
        yield* side.pay("Approved")
        yield* side.follow("Declined", "refund", tenths(1))
        yield* side.follow("Approved", "capture", captured)
        yield* side.follow("Approved", "refund", first)
        yield* side.follow("Declined", "refund", captured - first + 1)
        yield* side.follow("Approved", "refund", captured - first)
      }
    ),
    make(
      "a sale is captured at once: a refund is approved, a capture or a void is declined",
      "If `capture` is true, let the bank authorize and capture in one request.",
      approved,
      function* (side) {
        yield* side.pay("Approved", { capture: true })
        yield* side.follow("Declined", "capture", 1)
        yield* side.follow("Declined", "void", amountMinor)
        yield* side.follow("Approved", "refund", amountMinor)
      }
    ),
    make(
      "a void releases a hold, and a later capture is declined",
      "Let `void` release the hold under `original`.",
      approved,
      function* (side) {
        yield* side.pay("Approved")
        yield* side.follow("Approved", "void", amountMinor)
        yield* side.follow("Declined", "capture", 1)
      }
    ),
    make(
      "a void after a partial capture releases only the rest, or is declined; the captured amount can be refunded",
      "Leave captured amounts as they are. If the bank can cancel only the whole payment, decline this void and send nothing.",
      approved,
      function* (side) {
        const part = tenths(3)
        yield* side.pay("Approved")
        yield* side.follow("Approved", "capture", part)
        const { _tag } = yield* side.ask("void", amountMinor - part)
        if (_tag === "Approved") yield* side.follow("Declined", "capture", 1)
        yield* side.follow("Approved", "refund", part)
      }
    ),
    ...transfers,
    make(
      "an eligibility check is answered the same on inquiry, and authorizes nothing",
      "Let `eligible` ask the bank without a payment, or set capabilities.eligibility to false.",
      approved,
      function* (side) {
        const answer = yield* side.eligible()
        ContractBank.expectAnswer("Approved", "the eligibility check", answer)
        if (side.isInquired) assert.deepEqual(yield* side.inquire({ kind: "eligibility", amountMinor: 0 }), answer)
        yield* side.follow("Declined", "capture", amountMinor)
      },
      noEligibility
    ),
    make(
      "a capture, a void and a refund of a declined authorization are declined",
      "Return Declined if the bank refuses a follow-up. A refusal is an answer, not a failure.",
      declined,
      function* (side) {
        yield* side.pay("Declined")
        yield* side.follow("Declined", "capture", amountMinor)
        yield* side.follow("Declined", "void", amountMinor)
        yield* side.follow("Declined", "refund", amountMinor)
      }
    ),
    make(
      "a capture and a void of an authorization that was never sent are declined",
      "Return Declined if the bank does not know `original`.",
      approved,
      function* (side) {
        yield* side.follow("Declined", "capture", amountMinor)
        yield* side.follow("Declined", "void", amountMinor)
      }
    )
  ]
}
