/** Follow-ups that the bank made after the copy was taken: the copy has them again before anybody repeats them. */
import { assert, describe, it } from "@effect/vitest"
import { SandboxControl } from "@pay/sandbox/SandboxControl"
import { type Duration, Effect } from "effect"
import * as TestGateway from "../harness/TestGateway.ts"
import * as TestMerchant from "../harness/TestMerchant.ts"
import * as Copies from "./Copies.ts"

type FollowUp = readonly [operation: TestMerchant.FollowUp, amount?: string]

const fieldsOf = (amount: string | undefined): TestMerchant.Fields =>
  amount === undefined ? {} : { amount, currency: "USD" }

const keyed = (key: string) => ({ ...TestGateway.standardHeaders, "idempotency-key": key })

interface Case {
  readonly when: string
  readonly made: TestMerchant.Creation
  /** What the former gateway did before the copy was taken. */
  readonly before?: ReadonlyArray<FollowUp>
  /** What it did after that. */
  readonly forgotten: ReadonlyArray<FollowUp>
  /** How long the former gateway went on after that. */
  readonly formerLife?: Duration.Input
  /** What the merchant requests of the copy, and whether it is accepted. */
  readonly requested?: ReadonlyArray<readonly [...FollowUp, "accepted" | "refused"]>
  /** How the order stands then; left out: as it stood in the former gateway. */
  readonly expected?: string
  /** The amounts that the bank has captured and refunded, in minor units. */
  readonly booked: readonly [capturedMinor: number, refundedMinor: number]
}

const cases: ReadonlyArray<Case> = [
  {
    when: "a hold that was captured does not lapse",
    made: "PREAUTH",
    forgotten: [["CAPTURE"]],
    booked: [1042, 0]
  },
  {
    when: "a hold that was captured does not lapse, though its time is over when the copy starts",
    made: "PREAUTH",
    forgotten: [["CAPTURE"]],
    formerLife: "8 days",
    booked: [1042, 0]
  },
  {
    when: "a capture and its return, in their order",
    made: "PREAUTH",
    forgotten: [
      ["CAPTURE", "6.00"],
      ["RETURN", "2.00"]
    ],
    booked: [600, 200]
  },
  {
    when: "no more is returned than is left",
    made: "SALE",
    forgotten: [["RETURN", "6.00"]],
    requested: [
      ["RETURN", "5.00", "refused"],
      ["RETURN", "4.42", "accepted"]
    ],
    expected: "approved reversal 10.42 10.42 10.42 0.00",
    booked: [1042, 1042]
  },
  {
    when: "an equal return of the merchant is the one that was made",
    made: "SALE",
    forgotten: [["RETURN", "6.00"]],
    requested: [["RETURN", "6.00", "accepted"]],
    booked: [1042, 600]
  },
  {
    when: "each of two equal returns is taken over once",
    made: "SALE",
    forgotten: [
      ["RETURN", "4.00"],
      ["RETURN", "4.00"]
    ],
    requested: [
      ["RETURN", "4.00", "accepted"],
      ["RETURN", "4.00", "accepted"],
      ["RETURN", "4.00", "refused"]
    ],
    booked: [1042, 800]
  },
  {
    when: "a whole return is the one that was made",
    made: "SALE",
    forgotten: [["RETURN"]],
    requested: [["RETURN", undefined, "accepted"]],
    booked: [1042, 1042]
  },
  {
    when: "an equal capture of what is left is the one that was made",
    made: "PREAUTH",
    forgotten: [["CAPTURE"]],
    requested: [["CAPTURE", undefined, "accepted"]],
    booked: [1042, 0]
  },
  {
    when: "a whole return of a hold and its capture is the one that was made",
    made: "PREAUTH",
    before: [["CAPTURE", "6.00"]],
    forgotten: [["RETURN"]],
    requested: [["RETURN", undefined, "accepted"]],
    booked: [600, 600]
  },
  {
    when: "a hold that was released is not captured",
    made: "PREAUTH",
    forgotten: [["VOID"]],
    requested: [["CAPTURE", undefined, "refused"]],
    booked: [0, 0]
  },
  {
    when: "a release of the merchant is the one that was made",
    made: "PREAUTH",
    before: [["CAPTURE", "6.00"]],
    forgotten: [["VOID"]],
    requested: [["VOID", undefined, "accepted"]],
    booked: [600, 0]
  }
]

describe("a follow-up that a restored copy lacks", () => {
  it.live.each(cases)("$when", ({ before = [], booked, expected, forgotten, formerLife, made, requested = [] }) =>
    Copies.restored(
      Effect.fnUntraced(function* (backup) {
        const order = yield* TestMerchant.order(made)
        for (const [operation, amount] of before) yield* TestMerchant.done(operation, order, fieldsOf(amount))
        yield* backup
        for (const [index, [operation, amount]] of forgotten.entries())
          yield* TestMerchant.done(operation, order, fieldsOf(amount), { headers: keyed(`former-${index}`) })
        const former = yield* TestMerchant.orderStatus(order)
        if (formerLife !== undefined) yield* TestMerchant.pass(formerLife)
        return { order, former }
      }),
      Effect.fnUntraced(function* ({ former, order }) {
        yield* Copies.enumerated
        for (const [index, [operation, amount, answer]] of requested.entries()) {
          const headers = keyed(`now-${index}`)
          const reply = yield* TestMerchant.act(operation, order, fieldsOf(amount), { headers })
          assert.strictEqual(reply.status === 200 ? "accepted" : "refused", answer, JSON.stringify(reply.body))
          yield* TestMerchant.settled
          if (answer === "refused") continue
          const again = yield* TestMerchant.act(operation, order, fieldsOf(amount), { headers })
          assert.strictEqual(again.status, 200)
        }
        assert.strictEqual(yield* TestMerchant.orderStatus(order), expected ?? former)
        yield* TestMerchant.pass("8 days")
        const { books } = yield* SandboxControl
        const { capturedMinor, refundedMinor } = yield* books.totals(order.orderid)
        assert.deepStrictEqual([capturedMinor, refundedMinor], [...booked])
        // Nothing was sent that contradicts what the former gateway had made.
        const answers = (yield* books.ofOrder(order.orderid)).map(({ answer }) => answer._tag)
        assert.deepStrictEqual([...new Set(answers)], ["Approved"])
        yield* TestMerchant.assertClean
      })
    )
  )
})
