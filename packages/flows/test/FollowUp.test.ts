import { assert, describe, it } from "@effect/vitest"
import * as GatewayProfile from "@pay/schema/GatewayProfile"
import { Effect, Result } from "effect"
import * as TextTable from "../../schema/test/TextTable.ts"
import { Capture, Refund, Void } from "../src/payments/OrderAction.ts"
import * as Earlier from "./Earlier.ts"
import * as Script from "./Script.ts"

const { orderStatus, acknowledged } = Script
const named = { clientOrderId: "o-1", orderId: "7" }
const capture = Capture.execute({ ...named, name: "part-1", amount: "4.00", currency: "USD" })

const done = orderStatus("approved", { "transaction-type": "capture", "captured-amount": "4.00" })

/** The answers to `capture`, the outcome, and the requests. */
const keyedTable = `
case                                                          | capture                            | outcome      | requests
is acknowledged                                               | acknowledged                       | approved     | capture, status
is lost, then acknowledged                                    | lost, acknowledged                 | approved     | capture, status, capture, status
is lost or not sent for a while                               | lost, lost, not sent, acknowledged | approved     | capture, status, capture, status, capture ×2, status
is lost every time                                            | lost                               | StillUnknown | 29 times capture, status, then capture
is refused                                                    | refused 55                         | NotAccepted  | capture
is limited, then acknowledged                                 | limited, acknowledged              | approved     | capture ×2, status
is limited for more than an hour                              | limited for 2 h                    | NotAccepted  | capture
is lost, then limited for more than an hour                   | lost, limited for 2 h              | StillUnknown | capture, status, capture
is lost, and a repeat is refused because of the first request | lost, refused 55, acknowledged     | approved     | capture, status, capture, status, capture, status
is lost, and every repeat is refused                          | lost, refused 55                   | NotAccepted  | capture, status, capture, status, capture
finds the gateway unreachable                                 | not sent                           | Unreachable  | capture ×3
`
const [, ...keyed] = TextTable.rows(keyedTable)
const lostEveryTime = `${"capture, status, ".repeat(29)}capture`

describe("a capture with an idempotency key", () => {
  for (const [scenario, captures = "", end, requests = ""] of keyed) {
    it.effect(`${scenario}: ${end}`, () =>
      Effect.gen(function* () {
        const outcome = yield* Script.run({ capture: Script.answersOf(captures), status: [done] }, capture)
        assert.strictEqual(outcome.end, end)
        assert.strictEqual(Script.counted(outcome.requests), requests.startsWith("29 times") ? lostEveryTime : requests)
        const keys = new Set(outcome.keys.filter((key) => key !== ""))
        assert.deepStrictEqual([...keys], ["o-1%2Fpart-1:capture"])
      })
    )
  }

  it.effect("reports a decline with the gateway's code", () =>
    Effect.gen(function* () {
      const { result } = yield* Script.run(
        { capture: [acknowledged], status: [orderStatus("declined", { "error-code": "209" })] },
        capture
      )
      assert(Result.isFailure(result) && result.failure._tag === "Declined")
      assert.strictEqual(result.failure.code, 209)
      assert.isTrue(result.failure.hard)
    })
  )
})

const before = orderStatus("approved", { "transaction-type": "preauth", "captured-amount": "1.00" })
const amounts = (captured: string, returned = "0.00") =>
  orderStatus("approved", { "transaction-type": "capture", "captured-amount": captured, "returned-amount": returned })
const lost = {
  part: Refund.execute({ ...named, name: "part-2", amount: "4.00", currency: "USD" }),
  all: Refund.execute({ ...named, name: "all" }),
  rest: Capture.execute({ ...named, name: "rest" }),
  void: Void.execute(named)
}
const moving = orderStatus("processing", { "transaction-type": "capture", "captured-amount": "1.00" })

const orders: Readonly<Record<string, Script.Answer>> = {
  before,
  moving,
  "captured 1.00": amounts("1.00"),
  "captured 3.00": amounts("3.00"),
  "captured 5.00": amounts("5.00"),
  "captured 9.00": amounts("9.00"),
  "captured 5.00 returned 1.00": amounts("5.00", "1.00")
}

/** The answers to `capture`, and those of `status` before and after it. */
const byAmountsTable = `
case                                               | capture            | status                              | outcome       | requests
is acknowledged                                    | acknowledged       | before, captured 5.00               | approved      | status, capture, status
is lost, and its amount is captured                | lost               | before, captured 5.00               | approved      | status, capture, status
is lost, and its amount is captured after a while  | lost               | before, moving, captured 5.00       | approved      | status, capture, status ×2
is lost, no amount changes, and it is sent again   | lost, acknowledged | before, before, captured 5.00       | approved      | status, capture, status, capture, status
is lost every time, and no amount changes          | lost               | before                              | NeverHappened | status, capture, status, capture, status, capture, status
is lost, and another amount is captured            | lost               | before, captured 3.00               | NeedsAPerson  | status, capture, status
is lost, and a larger amount is captured           | lost               | before, captured 9.00               | NeedsAPerson  | status, capture, status
is lost, and money was captured and refunded       | lost               | before, captured 5.00 returned 1.00 | NeedsAPerson  | status, capture, status
is lost, and a void closed the hold meanwhile      | lost               | before, captured 1.00               | NeedsAPerson  | status, capture, status
is refused                                         | refused 55         | before                              | NotAccepted   | status, capture, status
is refused, because a proxy sent it twice          | refused 55         | before, captured 5.00               | approved      | status, capture, status
is acknowledged, and the order stays in processing | acknowledged       | before, processing                  | NeedsAPerson  | status, capture, status ×84
`
const [, ...byAmounts] = TextTable.rows(byAmountsTable)

describe("a capture at a gateway without idempotency keys", () => {
  for (const [scenario, captures = "", statuses = "", end, requests] of byAmounts) {
    it.effect(`${scenario}: ${end}`, () =>
      Effect.gen(function* () {
        const script = { capture: Script.answersOf(captures), status: Script.answersOf(statuses, orders) }
        const outcome = yield* Script.run(script, capture, {}, Script.keyless)
        assert.deepStrictEqual([outcome.end, Script.counted(outcome.requests)], [end, requests])
        if (captures.startsWith("lost")) assert.isAtLeast(outcome.seconds, 45)
      })
    )
  }
})

const refunded = (type: string, more: object = {}) => orderStatus("approved", { "transaction-type": type, ...more })

const actions: Readonly<Record<string, typeof lost.part>> = { ...lost, capture }
const displays: Readonly<Record<string, Script.Answer>> = {
  ...Object.fromEntries(
    ["sale", "preauth", "capture", "cancel", "reversal"].map((type) => [type, refunded(type)] as const)
  ),
  "preauth captured 0.00": refunded("preauth", { "captured-amount": "0.00" }),
  "cancel captured 0.00": refunded("cancel", { "captured-amount": "0.00" }),
  "captured 4.00": amounts("4.00")
}

/** A request whose answer is lost at a gateway without idempotency keys, and the answers of `status` before and after it. */
const lostTable = `
case                                               | request | status                                      | outcome
a second refund, and the gateway shows no amounts  | part    | reversal, reversal                          | NeedsAPerson
a full refund, and the gateway shows no amounts    | all     | sale, reversal                              | approved
a second capture, and the gateway shows no amounts | capture | capture, capture                            | NeedsAPerson
a capture of the rest, and the hold lapsed         | rest    | preauth captured 0.00, cancel captured 0.00 | NeedsAPerson
a void, and the hold is voided                     | void    | preauth, cancel                             | approved
a void, and the hold stays                         | void    | preauth, preauth                            | NeverHappened
a void, and the hold was captured                  | void    | preauth, capture                            | NeedsAPerson
a void of the rest, and nothing shows it           | void    | captured 4.00, captured 4.00                | NeedsAPerson
`
const [, ...lostActions] = TextTable.rows(lostTable)

describe("a lost request at a gateway without idempotency keys", () => {
  for (const [scenario, action = "", statuses = "", end] of lostActions) {
    it.effect(`${scenario}: ${end}`, () =>
      Effect.gen(function* () {
        const answers = { capture: ["lost"], return: ["lost"], void: ["lost"] } as const
        const script = { ...answers, status: Script.answersOf(statuses, displays) }
        const outcome = yield* Script.run(script, TextTable.named(actions, action), {}, Script.keyless)
        assert.strictEqual(outcome.end, end)
      })
    )
  }
})

describe("a lost capture of the rest at a gateway without idempotency keys", () => {
  const authorized = { "transaction-type": "preauth", "authorized-amount": "9.00" }
  const untouched = orderStatus("approved", { ...authorized, "captured-amount": "0.00" })
  const rest = Capture.execute({ ...named, name: "rest" })
  const rows = [
    ["9.00", "approved"],
    ["4.00", "NeedsAPerson"]
  ]
  for (const [captured, end] of rows) {
    it.effect(`${captured} of 9.00 is captured: ${end}`, () =>
      Effect.gen(function* () {
        const after = orderStatus("approved", {
          ...authorized,
          "transaction-type": "capture",
          "captured-amount": captured
        })
        const script = { capture: ["lost"], status: [untouched, after] } as const
        assert.strictEqual((yield* Script.run(script, rest, {}, Script.keyless)).end, end)
      })
    )
  }
})

describe("a run that ended before it recorded a capture", () => {
  const rows = [
    ["sends it again under its idempotency key", true, "capture status capture status"],
    ["does not send it again without idempotency keys", false, "status capture status"]
  ] as const
  for (const [scenario, honoursIdempotencyKey, request] of rows) {
    it.effect(scenario, () =>
      Effect.gen(function* () {
        const status = honoursIdempotencyKey ? [done] : [before, amounts("5.00")]
        const at = honoursIdempotencyKey ? "capture" : "capture 1"
        const outcome = yield* Script.run(
          { capture: [acknowledged], status },
          Earlier.inTwoProcesses(at, capture),
          {},
          {
            ...GatewayProfile.ours,
            honoursIdempotencyKey
          }
        )
        assert.strictEqual(outcome.end, "approved")
        assert.strictEqual(outcome.requests.join(" "), request)
      })
    )
  }
})
