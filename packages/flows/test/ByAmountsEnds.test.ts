/** Tests the outcomes of a capture that is sent once and judged by the order's amounts. */
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import type { ActionPlan } from "../src/ActionPlan.ts"
import * as Steps from "../src/Steps.ts"
import { type Amounts, act, approved, authorizedOrder, captured } from "./Amounts.ts"
import * as Earlier from "./Earlier.ts"
import * as Script from "./Script.ts"

const moved = approved({ ...authorizedOrder, capturedAmount: "4.00" })
const unmoved = approved(authorizedOrder)
const orderStatus = Script.orderStatus
const capture = (changes: Partial<ActionPlan> = {}, before: Amounts | undefined = authorizedOrder) =>
  act("CAPTURE", "4.00", before, changes)
const refused = Script.refusal(1)
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
  askedAtMs: 0,
  ended: { _tag: "NotSent", operation: "CAPTURE", reason: "Unreachable", code: "ECONNREFUSED" }
}
const begun = (record: Earlier.Record, flow: ReturnType<typeof capture>) =>
  Effect.provideService(flow, Steps.Steps, Earlier.runAfter(record).steps)

const ends: ReadonlyArray<
  readonly [what: string, flow: ReturnType<typeof capture>, script: Script.Script, end: string, requests: string]
> = [
  [
    "is accepted, then captured",
    capture(),
    { capture: [Script.acknowledged], status: [moved] },
    "approved",
    "capture status"
  ],
  [
    "is accepted, and its amount is captured a moment later",
    capture(),
    { capture: [Script.acknowledged], status: [unmoved, moved] },
    "approved",
    "capture status status"
  ],
  [
    "is accepted, and nothing changes",
    capture(),
    { capture: [Script.acknowledged], status: [unmoved] },
    "NeedsAPerson",
    "capture status status"
  ],
  [
    "is accepted, then declined",
    capture(),
    { capture: [Script.acknowledged], status: [orderStatus("declined")] },
    "Declined",
    "capture status"
  ],
  [
    "is accepted, then declined a moment later",
    capture(),
    { capture: [Script.acknowledged], status: [unmoved, orderStatus("declined")] },
    "Declined",
    "capture status status"
  ],
  [
    "is accepted, and confirmed by its request number",
    capture({ answersByRequest: true }),
    { capture: [Script.acknowledged], status: [unmoved] },
    "approved",
    "capture status"
  ],
  ["cannot be sent", capture(), { capture: ["notSent"] }, "Unreachable", "capture capture capture"],
  [
    "is refused, and nothing changes",
    capture(),
    { capture: [refused], status: [unmoved] },
    "Refused",
    "capture status"
  ],
  ["is refused, yet captured", capture(), { capture: [refused], status: [moved] }, "approved", "capture status"],
  [
    "is refused while the order is processed, and its amount is captured",
    capture(),
    { capture: [refused], status: [orderStatus("processing"), moved] },
    "approved",
    "capture status status"
  ],
  [
    "is refused while the order is processed, and no amount changes",
    capture(),
    { capture: [refused], status: [orderStatus("processing"), unmoved] },
    "NeedsAPerson",
    "capture status status"
  ],
  [
    "is refused, the order unknown",
    capture(),
    { capture: [refused], status: [Script.unknownOrder] },
    "Refused",
    "capture status"
  ],
  [
    "was begun by a former version, and is refused",
    capture({ isFormer: true }),
    { capture: [refused] },
    "Refused",
    "capture"
  ],
  [
    "is lost three times, and no amount changes",
    capture({}),
    { capture: ["lost"], status: [unmoved] },
    "NeverHappened",
    "capture status capture status capture status"
  ],
  [
    "is lost, and not sent again if status may not show the repeat",
    capture({ showsFollowUps: false }),
    { capture: ["lost"], status: [unmoved] },
    "NeedsAPerson",
    "capture status"
  ],
  [
    "is lost, and refused when it is sent again",
    capture({}),
    { capture: ["lost", refused], status: [unmoved] },
    "Refused",
    "capture status capture status capture status"
  ],
  ["was perhaps sent, and is not sent again", capture({ isOpen: true }), { status: [unmoved] }, "NeedsAPerson", ""],
  [
    "may have been sent before, and the earlier amounts are unknown",
    act("CAPTURE", "4.00", undefined, { isOpen: true }),
    { status: [unmoved] },
    "NeedsAPerson",
    "status"
  ],
  [
    "reads the amounts before it is sent",
    act("CAPTURE", "4.00", undefined),
    { capture: ["lost"], status: [unmoved, moved] },
    "approved",
    "status capture status"
  ],
  ["is invalid, and not sent", act("CAPTURE", "x", authorizedOrder), {}, "Refused", ""],
  [
    "is accepted, and only the authorized amount changes",
    capture(),
    { capture: [acknowledged], status: [approved({ ...authorizedOrder, authorizedAmount: "9.00" })] },
    "NeedsAPerson",
    "capture status status"
  ],
  [
    "is accepted, and only the transaction type changes",
    capture(),
    { capture: [acknowledged], status: [approved({ ...authorizedOrder, transactionType: "capture" })] },
    "approved",
    "capture status"
  ],
  [
    "is accepted, and the captured amount was not shown before",
    capture({}, untold),
    { capture: [acknowledged], status: [approved({ ...untold, capturedAmount: "4.00" })] },
    "approved",
    "capture status"
  ],
  [
    "of the whole amount is accepted, and all is captured",
    act("CAPTURE", undefined, authorizedOrder),
    { capture: [acknowledged], status: [approved(captured)] },
    "approved",
    "capture status"
  ],
  [
    "is accepted, then declined, and no amount changes",
    capture(),
    { capture: [acknowledged], status: [declined] },
    "Declined",
    "capture status"
  ],
  [
    "is accepted, then declined a moment later, and no amount changes",
    capture(),
    { capture: [acknowledged], status: [unmoved, declined] },
    "Declined",
    "capture status status"
  ],
  [
    "is accepted, then declined, and another amount is captured",
    capture(),
    { capture: [acknowledged], status: [Script.orderStatus("declined", { "captured-amount": "5.00" })] },
    "Declined",
    "capture status"
  ],
  [
    "is refused, and another amount is captured",
    capture(),
    { capture: [refused], status: [approved({ ...authorizedOrder, capturedAmount: "5.00" })] },
    "NeedsAPerson",
    "capture status"
  ],
  [
    "is refused, and the gateway is unreachable afterwards",
    capture(),
    { capture: [refused], status: ["notSent"] },
    "NeedsAPerson",
    `capture${" status".repeat(90)}`
  ],
  [
    "is lost, and no repeat can be sent",
    capture(),
    { capture: ["lost", "notSent"], status: [unmoved] },
    "NeverHappened",
    "capture status capture capture capture status capture capture capture status"
  ],
  [
    "was begun by a former version, is lost, and is refused when it is sent again",
    capture({ isFormer: true }),
    { capture: ["lost", refused], status: [unmoved] },
    "Refused",
    "capture status capture status capture status"
  ],
  [
    "is looked up again if an earlier run had started a repeat",
    begun({ "act 2 begun": "first" }, capture({ showsFollowUps: false })),
    { capture: ["lost"], status: [unmoved] },
    "NeedsAPerson",
    "capture status status"
  ],
  [
    "may have been sent before an earlier run that could not send it",
    begun(
      { "act 1": notSent },
      act("CAPTURE", "4.00", authorizedOrder, { isOpen: true, showsFollowUps: false }, authorizedOrder)
    ),
    { status: [unmoved] },
    "NeedsAPerson",
    "status"
  ],
  [
    "is sent only when the order is no longer processing",
    act(
      "CAPTURE",
      "4.00",
      { ...authorizedOrder },
      { order: { clientOrderId: "o-1", orderId: "7", status: "processing" } }
    ),
    { capture: ["lost"], status: [unmoved, moved] },
    "approved",
    "status capture status"
  ]
]

describe("a capture that is judged by the order's amounts", () => {
  for (const [what, flow, script, end, request] of ends)
    it.effect(`${what}: ${end}`, () =>
      Effect.gen(function* () {
        const outcome = yield* Script.run(script, flow, {}, Script.keyless)
        assert.deepStrictEqual([outcome.end, outcome.requests.join(" ")], [end, request])
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
