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
import { Acquirer, type AcquirerError, type Authorization, type BankAnswer, type BankCard } from "@pay/gateway/Acquirer"
import type { AttemptReference } from "@pay/gateway/BankBooks"
import { Effect, Random } from "effect"

/** One promise: a program that fails if the acquirer breaks it. */
export interface Case {
  readonly name: string
  readonly run: Effect.Effect<void, AcquirerError, Acquirer>
}

/** The test cards of one bank's test system. */
export interface Cards {
  readonly approved: BankCard
  readonly declined: BankCard
  /** The card that receives transfers. */
  readonly recipient: BankCard["pan"]
}

/** One order at the bank, with the requests that a case may send about it. */
interface Counterparty {
  readonly acquirer: Acquirer["Service"]
  readonly authorization: (changes?: Partial<Authorization>) => Authorization
  readonly authorize: (changes?: Partial<Authorization>) => Effect.Effect<BankAnswer, AcquirerError>
  /** Sends a follow-up of the authorisation, under the given reference or a new one. */
  readonly ask: (
    kind: "capture" | "void" | "refund",
    amountMinor: number,
    reference?: AttemptReference
  ) => Effect.Effect<BankAnswer, AcquirerError>
}

const amountMinor = 10_00

const open = Effect.fnUntraced(function* (card: BankCard) {
  const acquirer = yield* Acquirer
  const orderId = `${yield* Random.nextIntBetween(1, Number.MAX_SAFE_INTEGER)}`
  let requests = 0
  const authorization = (changes: Partial<Authorization> = {}): Authorization => ({
    reference: `${orderId}-authorize-0`,
    orderId,
    clientOrderId: `contract-${orderId}`,
    merchantId: "contract",
    amountMinor,
    currency: "USD",
    card,
    capture: false,
    ...changes
  })
  return {
    acquirer,
    authorization,
    authorize: (changes) => acquirer.authorize(authorization(changes)),
    ask: (kind, amountMinor, reference) => {
      requests += 1
      const original = authorization().reference
      const own: AttemptReference = `${orderId}-${kind}-${requests}`
      return acquirer[kind]({
        reference: reference ?? own,
        orderId,
        clientOrderId: `contract-${orderId}`,
        merchantId: "contract",
        original,
        amountMinor,
        currency: "USD"
      })
    }
  } satisfies Counterparty
})

const approves = (answer: BankAnswer): void => assert.equal(answer._tag, "Approved", JSON.stringify(answer))
const declines = (answer: BankAnswer): void => assert.equal(answer._tag, "Declined", JSON.stringify(answer))

/** Returns all cases for the cards of one bank. */
export const cases = (cards: Cards): ReadonlyArray<Case> => {
  const make = (
    name: string,
    card: BankCard,
    run: (side: Counterparty) => Effect.fn.Return<void, AcquirerError>
  ): Case => ({ name, run: Effect.flatMap(open(card), Effect.fnUntraced(run)) })
  return [
    {
      name: "declares a deadline and a longest processing time",
      run: Effect.map(Acquirer, ({ capabilities }) => {
        assert.ok(capabilities.deadlineMs > 0)
        assert.ok(capabilities.longestProcessingMs >= capabilities.deadlineMs)
      })
    },
    make("an approval has an approval code and the bank's transaction number", cards.approved, function* (side) {
      const answer = yield* side.authorize()
      assert.ok(answer._tag === "Approved" && answer.approvalCode !== "" && answer.processorTxId !== "")
    }),
    make("a decline is an answer with a code and a reason, not a failure", cards.declined, function* (side) {
      const answer = yield* side.authorize()
      assert.ok(answer._tag === "Declined" && answer.code > 0 && answer.message !== "")
    }),
    make("a repeated authorization gets the same answer", cards.approved, function* (side) {
      assert.deepEqual(yield* side.authorize(), yield* side.authorize())
    }),
    make("an inquiry about an authorization returns its answer", cards.approved, function* (side) {
      const { reference } = side.authorization()
      assert.deepEqual(yield* side.authorize(), yield* side.acquirer.inquire(reference))
    }),
    make("an inquiry about a declined reference returns the decline", cards.declined, function* (side) {
      const { reference } = side.authorization()
      assert.deepEqual(yield* side.authorize(), yield* side.acquirer.inquire(reference))
    }),
    make("an inquiry about a reference that was never sent returns NotFound", cards.approved, function* (side) {
      assert.deepEqual(yield* side.acquirer.inquire(side.authorization().reference), { _tag: "NotFound" })
    }),
    make("partial captures are approved up to the authorized amount", cards.approved, function* (side) {
      approves(yield* side.authorize())
      approves(yield* side.ask("capture", 4_00))
      declines(yield* side.ask("capture", 6_01))
      approves(yield* side.ask("capture", 6_00))
      declines(yield* side.ask("capture", 1))
    }),
    make("a repeated capture is booked once", cards.approved, function* (side) {
      approves(yield* side.authorize())
      const reference: AttemptReference = `${side.authorization().orderId}-capture-99`
      const first = yield* side.ask("capture", 6_00, reference)
      assert.deepEqual(first, yield* side.ask("capture", 6_00, reference))
      approves(yield* side.ask("capture", 4_00))
    }),
    make("partial refunds are approved up to the captured amount", cards.approved, function* (side) {
      approves(yield* side.authorize())
      declines(yield* side.ask("refund", 1_00))
      approves(yield* side.ask("capture", 5_00))
      approves(yield* side.ask("refund", 2_00))
      declines(yield* side.ask("refund", 3_01))
      approves(yield* side.ask("refund", 3_00))
    }),
    make(
      "a sale is captured at once: a refund is approved, a capture or a void is declined",
      cards.approved,
      function* (side) {
        approves(yield* side.authorize({ capture: true }))
        declines(yield* side.ask("capture", 1))
        declines(yield* side.ask("void", amountMinor))
        approves(yield* side.ask("refund", amountMinor))
      }
    ),
    make("a void releases the uncaptured amount, and a later capture is declined", cards.approved, function* (side) {
      approves(yield* side.authorize())
      approves(yield* side.ask("capture", 3_00))
      approves(yield* side.ask("void", 7_00))
      declines(yield* side.ask("capture", 1))
      approves(yield* side.ask("refund", 3_00))
    }),
    ...(["approved", "declined"] as const).map((name) =>
      make(
        `a transfer is ${name} as a whole; a repeat and an inquiry return the same answer`,
        cards[name],
        function* (side) {
          const { acquirer } = side
          if (!acquirer.capabilities.transfers) return
          const requests = { capture: true, recipient: cards.recipient }
          const answer = yield* side.authorize(requests)
          assert.equal(answer._tag.toLowerCase(), name)
          assert.deepEqual(yield* side.authorize(requests), answer)
          assert.deepEqual(yield* acquirer.inquire(side.authorization().reference), answer)
        }
      )
    ),
    make("a capture, a void and a refund of a transfer are declined", cards.approved, function* (side) {
      if (!side.acquirer.capabilities.transfers) return
      approves(yield* side.authorize({ capture: true, recipient: cards.recipient }))
      declines(yield* side.ask("capture", 1))
      declines(yield* side.ask("void", amountMinor))
      declines(yield* side.ask("refund", amountMinor))
    }),
    make(
      "an eligibility check is answered the same on inquiry, and authorizes nothing",
      cards.approved,
      function* (side) {
        const { acquirer } = side
        if (!acquirer.capabilities.eligibility) return
        const { card, amountMinor: _, capture: __, recipient: ___, ...question } = side.authorization()
        const answer = yield* acquirer.eligible({ ...question, pan: card.pan, expiry: undefined })
        approves(answer)
        assert.deepEqual(yield* acquirer.inquire(question.reference), answer)
        declines(yield* side.ask("capture", amountMinor))
      }
    ),
    make("a capture, a void and a refund of a declined authorization are declined", cards.declined, function* (side) {
      declines(yield* side.authorize())
      declines(yield* side.ask("capture", amountMinor))
      declines(yield* side.ask("void", amountMinor))
      declines(yield* side.ask("refund", amountMinor))
    }),
    make("a capture and a void of an authorization that was never sent are declined", cards.approved, function* (side) {
      declines(yield* side.ask("capture", amountMinor))
      declines(yield* side.ask("void", amountMinor))
    })
  ]
}
