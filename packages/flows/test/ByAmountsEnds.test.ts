/** Tests the outcomes of a capture that is sent once and judged by the order's amounts. */
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import * as TextTable from "../../schema/test/TextTable.ts"
import * as Steps from "../src/engine/Steps.ts"
import type { ActionPlan } from "../src/requests/ActionPlan.ts"
import { type Amounts, act, approved, authorizedOrder, captured } from "./Amounts.ts"
import * as Earlier from "./Earlier.ts"
import * as Script from "./Script.ts"

const moved = approved({ ...authorizedOrder, capturedAmount: "4.00" })
const unmoved = approved(authorizedOrder)
const capture = (changes: Partial<ActionPlan> = {}, before: Amounts | undefined = authorizedOrder) =>
  act("CAPTURE", "4.00", before, changes)
const { acknowledged } = Script
const { capturedAmount: _captured, ...untold } = captured
/** A declined order with the amounts of `held`. */
const declined = Script.orderStatus("declined", {
  "transaction-type": "preauth",
  "authorized-amount": "10.00",
  "captured-amount": "0.00",
  "returned-amount": "0.00"
})
const notSent = {
  requestedAtMs: 0,
  isBegunBefore: false,
  ended: { _tag: "NotSent", operation: "CAPTURE", reason: "Unreachable", code: "ECONNREFUSED" }
}
const begun = (record: Earlier.Record, flow: ReturnType<typeof capture>) =>
  Effect.provideService(flow, Steps.Steps, Earlier.runAfter(record).steps)

/** Captures of 4.00 of a hold of 10.00. */
const flows: Readonly<Record<string, ReturnType<typeof capture>>> = {
  "": capture(),
  "by request number": capture({ answersByRequest: true }),
  "no repeats shown": capture({ showsFollowUps: false }),
  open: capture({ isOpen: true }),
  "open, amounts unknown": act("CAPTURE", "4.00", undefined, { isOpen: true }),
  "amounts unknown": act("CAPTURE", "4.00", undefined),
  invalid: act("CAPTURE", "x", authorizedOrder),
  "captures not shown": capture({}, untold),
  whole: act("CAPTURE", undefined, authorizedOrder),
  "open, not sent": begun(
    { "act 1": notSent },
    act("CAPTURE", "4.00", authorizedOrder, { isOpen: true, showsFollowUps: false }, authorizedOrder)
  ),
  processing: act(
    "CAPTURE",
    "4.00",
    { ...authorizedOrder },
    { order: { clientOrderId: "o-1", orderId: "7", status: "processing" } }
  )
}

const answers: Readonly<Record<string, Script.Answer>> = {
  moved,
  unmoved,
  "authorized 9.00": approved({ ...authorizedOrder, authorizedAmount: "9.00" }),
  "type capture": approved({ ...authorizedOrder, transactionType: "capture" }),
  "shown 4.00": approved({ ...untold, capturedAmount: "4.00" }),
  captured: approved(captured),
  "declined unmoved": declined,
  "declined 5.00": Script.orderStatus("declined", { "captured-amount": "5.00" }),
  "captured 5.00": approved({ ...authorizedOrder, capturedAmount: "5.00" })
}

/** A request, the answers to it and to each `status` after it: how it ends, and what was requested. */
const table = `
case                                                                         | request               | answers         | status                    | end           | requests
is accepted, then captured                                                   |                       | acknowledged    | moved                     | approved      | capture, status
is accepted, and its amount is captured a moment later                       |                       | acknowledged    | unmoved, moved            | approved      | capture, status ×2
is accepted, and nothing changes                                             |                       | acknowledged    | unmoved                   | NeedsAPerson  | capture, status ×2
is accepted, then declined                                                   |                       | acknowledged    | declined                  | Declined      | capture, status
is accepted, then declined a moment later                                    |                       | acknowledged    | unmoved, declined         | Declined      | capture, status ×2
is accepted, and confirmed by its request number                             | by request number     | acknowledged    | unmoved                   | approved      | capture, status
cannot be sent                                                               |                       | not sent        |                           | Unreachable   | capture ×3
is refused, and nothing changes                                              |                       | refused 1       | unmoved                   | NotAccepted   | capture, status
is refused, yet captured                                                     |                       | refused 1       | moved                     | approved      | capture, status
is refused while the order is processed, and its amount is captured          |                       | refused 1       | processing, moved         | approved      | capture, status ×2
is refused while the order is processed, and no amount changes               |                       | refused 1       | processing, unmoved       | NeedsAPerson  | capture, status ×2
is refused, the order unknown                                                |                       | refused 1       | absent                    | NotAccepted   | capture, status
is lost three times, and no amount changes                                   |                       | lost            | unmoved                   | NeverHappened | capture, status, capture, status, capture, status
is lost, and not sent again if status may not show the repeat                | no repeats shown      | lost            | unmoved                   | NeedsAPerson  | capture, status
is lost, and refused when it is sent again                                   |                       | lost, refused 1 | unmoved                   | NotAccepted   | capture, status, capture, status, capture, status
was perhaps sent, and is not sent again                                      | open                  |                 | unmoved                   | NeedsAPerson  |
may have been sent before, and the earlier amounts are unknown               | open, amounts unknown |                 | unmoved                   | NeedsAPerson  | status
reads the amounts before it is sent                                          | amounts unknown       | lost            | unmoved, moved            | approved      | status, capture, status
is invalid, and not sent                                                     | invalid               |                 |                           | NotAccepted   |
is accepted, and only the authorized amount changes                          |                       | acknowledged    | authorized 9.00           | NeedsAPerson  | capture, status ×2
is accepted, and only the transaction type changes                           |                       | acknowledged    | type capture              | approved      | capture, status
is accepted, and the captured amount was not shown before                    | captures not shown    | acknowledged    | shown 4.00                | approved      | capture, status
of the whole amount is accepted, and all is captured                         | whole                 | acknowledged    | captured                  | approved      | capture, status
is accepted, then declined, and no amount changes                            |                       | acknowledged    | declined unmoved          | Declined      | capture, status
is accepted, then declined a moment later, and no amount changes             |                       | acknowledged    | unmoved, declined unmoved | Declined      | capture, status ×2
is accepted, then declined, and another amount is captured                   |                       | acknowledged    | declined 5.00             | Declined      | capture, status
is refused, and another amount is captured                                   |                       | refused 1       | captured 5.00             | NeedsAPerson  | capture, status
is refused, and the gateway is unreachable afterwards                        |                       | refused 1       | not sent                  | NeedsAPerson  | capture, status ×90
is lost, and no repeat can be sent                                           |                       | lost, not sent  | unmoved                   | NeverHappened | capture, status, capture ×3, status, capture ×3, status
may have been sent before an earlier run that could not send it              | open, not sent        |                 | unmoved                   | NeedsAPerson  | status
is sent only when the order is no longer processing                          | processing            | lost            | unmoved, moved            | approved      | status, capture, status
`
const [, ...ends] = TextTable.rows(table)

describe("a capture that is judged by the order's amounts", () => {
  for (const [what, name = "", actions = "", statuses = "", end, requests] of ends)
    it.effect(`${what}: ${end}`, () =>
      Effect.gen(function* () {
        const script = { capture: Script.answersOf(actions, answers), status: Script.answersOf(statuses, answers) }
        const outcome = yield* Script.run(script, TextTable.named(flows, name), {}, Script.keyless)
        assert.deepStrictEqual([outcome.end, Script.counted(outcome.requests)], [end, requests])
      })
    )
})

describe("an accepted request", () => {
  it.effect("for a refund is done although the transaction type stays the same", () =>
    Effect.gen(function* () {
      const returned = approved({ ...captured, returnedAmount: "4.00" })
      const flow = act("RETURN", "4.00", captured)
      const outcome = yield* Script.run({ return: [acknowledged], status: [returned] }, flow, {}, Script.keyless)
      assert.deepStrictEqual([outcome.end, outcome.requests.join(" ")], ["approved", "return status"])
    })
  )

  const serialNumber = "00000000-0000-0000-0000-000000000001"
  for (const [answersByRequest, number] of [
    [true, serialNumber],
    [false, null]
  ] as const)
    it.effect(`is looked up by ${answersByRequest ? "its request number" : "its order's number"}`, () =>
      Effect.gen(function* () {
        const flow = capture({ answersByRequest })
        const { forms } = yield* Script.run({ capture: [acknowledged], status: [moved] }, flow, {}, Script.keyless)
        assert.strictEqual(new URLSearchParams(forms[1]?.[1]).get("by-request-sn"), number)
      })
    )
})
