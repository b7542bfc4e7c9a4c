/**
 * The promises of every payout rail, as test cases. Each case is a program for the rail of its context, with references of its
 * own. The simulator's tests run all of them. The tests of an adapter to a real rail run them with recipients of that rail's test
 * system.
 */
import assert from "node:assert/strict"
import type { BankAnswer } from "@pay/gateway/Acquirer"
import { type Destination, PayoutRail, type RailError, type RailRequest } from "@pay/gateway/PayoutRail"
import { Effect, Random } from "effect"
import * as Contract from "./Contract.ts"

/** One promise: a program that fails if the payout rail breaks it. */
export type Case = Contract.Case<RailError, PayoutRail>

/** The test recipients of one rail's test system, and the payouts that are made to them. */
export interface Options extends Partial<Contract.ContractOrder> {
  /** Recipients of each kind that the rail pays to. */
  readonly paid: ReadonlyArray<Destination.Destination>
  /** A recipient who fails the check and is paid nothing. */
  readonly refused: Destination.Destination
}

interface Counterparty {
  readonly rail: PayoutRail["Service"]
  readonly request: (kind: "check" | "pay") => RailRequest
}

const open = Effect.fnUntraced(function* (destination: Destination.Destination, terms: Contract.ContractOrder) {
  const rail = yield* PayoutRail
  const orderId = `${yield* Random.nextIntBetween(1, Number.MAX_SAFE_INTEGER)}`
  return {
    rail,
    request: (kind) => ({
      reference: `${orderId}-${kind}-0`,
      ...Contract.namesOf(orderId, terms),
      amountMinor: terms.amountMinor,
      destination,
      purpose: "Contract"
    })
  } satisfies Counterparty
})

const approves = (answer: BankAnswer): void => assert.ok(answer._tag === "Approved", JSON.stringify(answer))
const declines = (answer: BankAnswer): void =>
  assert.ok(answer._tag === "Declined" && answer.message !== "", JSON.stringify(answer))

/** Returns all cases for the recipients of one rail. */
export const cases = ({ paid, refused, ...given }: Options): ReadonlyArray<Case> => {
  const terms = { ...Contract.anyOrder, ...given }
  const make = (
    name: string,
    advice: string,
    destination: Destination.Destination,
    run: (side: Counterparty) => Effect.fn.Return<void, RailError>
  ): Case => ({ name, advice, run: Effect.flatMap(open(destination, terms), Effect.fnUntraced(run)) })
  return paid.flatMap((recipient) => {
    const to = (name: string) => `${name} (${recipient.kind})`
    return [
      {
        name: to("declares a deadline, a longest processing time and the delays of late refusals"),
        advice:
          "Set capabilities.destinations to the kinds that the rail pays to, and longestProcessingMs at least to deadlineMs.",
        run: Effect.map(PayoutRail, ({ capabilities }) => {
          const { deadlineMs, destinations, lateRefusalAfterMs, longestProcessingMs } = capabilities
          assert.ok(deadlineMs > 0 && longestProcessingMs >= deadlineMs)
          assert.ok(destinations.has(recipient.kind))
          assert.deepEqual(
            [...lateRefusalAfterMs],
            [...new Set(lateRefusalAfterMs)].sort((one, other) => one - other)
          )
        })
      },
      make(
        to("a check moves no money and can be repeated"),
        "Let `check` ask the rail without a payment.",
        recipient,
        function* ({ rail, request }) {
          approves(yield* rail.check(request("check")))
          approves(yield* rail.check(request("check")))
          assert.deepEqual(yield* rail.inquire(request("pay").reference), { _tag: "NotFound" })
        }
      ),
      make(
        to("a repeated payment and an inquiry return the answer of the first payment"),
        "Send the reference as the rail's idempotency key, and let `inquire` ask by it.",
        recipient,
        function* ({ rail, request }) {
          const first = yield* rail.pay(request("pay"))
          approves(first)
          assert.deepEqual(yield* rail.pay(request("pay")), first)
          assert.deepEqual(yield* rail.inquire(request("pay").reference), first)
        }
      ),
      make(
        to("a refusal is an answer with a code and a reason, not a failure"),
        "Use a recipient whom the rail's test system refuses, and return Declined with a number as code and a message.",
        { ...refused },
        function* ({ rail, request }) {
          declines(yield* rail.check(request("check")))
          const first = yield* rail.pay(request("pay"))
          declines(first)
          assert.deepEqual(yield* rail.inquire(request("pay").reference), first)
        }
      ),
      make(
        to("an inquiry about a reference that was never sent returns NotFound"),
        "Return NotFound only if the rail says that it has no such reference, and CannotSay if it does not know yet.",
        recipient,
        function* ({ rail, request }) {
          assert.deepEqual(yield* rail.inquire(request("pay").reference), { _tag: "NotFound" })
        }
      )
    ]
  })
}
