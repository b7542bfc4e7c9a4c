/** How a capture ends that is sent once and judged by what has moved. */
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import * as Steps from "../src/Steps.ts"
import type { Way } from "../src/Way.ts"
import { act, approved, captured, heldOrder, type Moved } from "./Amounts.ts"
import * as Earlier from "./Earlier.ts"
import * as Script from "./Script.ts"

const moved = approved({ ...heldOrder, capturedAmount: "4.00" })
const unmoved = approved(heldOrder)
const stands = Script.stands
const capture = (changes: Partial<Way> = {}, before: Moved | undefined = heldOrder) =>
  act("CAPTURE", "4.00", before, changes)
const refused = Script.refuses(1)
const { taken } = Script
const { capturedAmount: _captured, ...untold } = captured
/** A declined order with the amounts of `held`. */
const declined = Script.stands("declined", {
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
  Effect.provideService(flow, Steps.Steps, Earlier.after(record).steps)

const ends: ReadonlyArray<
  readonly [what: string, flow: ReturnType<typeof capture>, script: Script.Script, end: string, requests: string]
> = [
  ["was done", capture(), { capture: [Script.taken], status: [moved] }, "approved", "capture status"],
  [
    "was done a moment later",
    capture(),
    { capture: [Script.taken], status: [unmoved, moved] },
    "approved",
    "capture status status"
  ],
  [
    "was accepted, and is not to be seen",
    capture(),
    { capture: [Script.taken], status: [unmoved] },
    "NeedsAPerson",
    "capture status status"
  ],
  ["was declined", capture(), { capture: [Script.taken], status: [stands("declined")] }, "Declined", "capture status"],
  [
    "was accepted and declined a moment later",
    capture(),
    { capture: [Script.taken], status: [unmoved, stands("declined")] },
    "Declined",
    "capture status status"
  ],
  [
    "was answered about by its own number",
    capture({ answersByRequest: true }),
    { capture: [Script.taken], status: [unmoved] },
    "approved",
    "capture status"
  ],
  ["was not sent", capture(), { capture: ["notSent"] }, "Unreachable", "capture capture capture"],
  ["was refused, and nothing moved", capture(), { capture: [refused], status: [unmoved] }, "Refused", "capture status"],
  ["was refused after it was done", capture(), { capture: [refused], status: [moved] }, "approved", "capture status"],
  [
    "was refused while it was done",
    capture(),
    { capture: [refused], status: [stands("processing"), moved] },
    "approved",
    "capture status status"
  ],
  [
    "was refused while something moved",
    capture(),
    { capture: [refused], status: [stands("processing"), unmoved] },
    "NeedsAPerson",
    "capture status status"
  ],
  [
    "was refused of an order that is not known",
    capture(),
    { capture: [refused], status: [Script.unheardOf] },
    "Refused",
    "capture status"
  ],
  ["was refused of a former run", capture({ isFormer: true }), { capture: [refused] }, "Refused", "capture"],
  [
    "never happened",
    capture({}),
    { capture: ["lost"], status: [unmoved] },
    "NeverHappened",
    "capture status capture status capture status"
  ],
  [
    "is not sent again where its repeat may be hidden",
    capture({ showsFollowUps: false }),
    { capture: ["lost"], status: [unmoved] },
    "NeedsAPerson",
    "capture status"
  ],
  [
    "is refused when it is sent again",
    capture({}),
    { capture: ["lost", refused], status: [unmoved] },
    "Refused",
    "capture status capture status capture status"
  ],
  ["may have been sent before: nothing is sent", capture({ isOpen: true }), { status: [unmoved] }, "NeedsAPerson", ""],
  [
    "may have been sent before to an order of which nothing is known",
    act("CAPTURE", "4.00", undefined, { isOpen: true }),
    { status: [unmoved] },
    "NeedsAPerson",
    "status"
  ],
  [
    "asks how much has moved before it is sent",
    act("CAPTURE", "4.00", undefined),
    { capture: ["lost"], status: [unmoved, moved] },
    "approved",
    "status capture status"
  ],
  ["is wrong before it is sent", act("CAPTURE", "x", heldOrder), {}, "Refused", ""],
  [
    "was accepted, and no more is authorized than before",
    capture(),
    { capture: [taken], status: [approved({ ...heldOrder, authorizedAmount: "9.00" })] },
    "NeedsAPerson",
    "capture status status"
  ],
  [
    "was accepted, and its order has another type",
    capture(),
    { capture: [taken], status: [approved({ ...heldOrder, transactionType: "capture" })] },
    "approved",
    "capture status"
  ],
  [
    "was accepted, and nobody told what was captured before",
    capture({}, untold),
    { capture: [taken], status: [approved({ ...untold, capturedAmount: "4.00" })] },
    "approved",
    "capture status"
  ],
  [
    "of all was accepted",
    act("CAPTURE", undefined, heldOrder),
    { capture: [taken], status: [approved(captured)] },
    "approved",
    "capture status"
  ],
  [
    "was declined, and nothing moved",
    capture(),
    { capture: [taken], status: [declined] },
    "Declined",
    "capture status"
  ],
  [
    "was declined a moment later, and nothing moved",
    capture(),
    { capture: [taken], status: [unmoved, declined] },
    "Declined",
    "capture status status"
  ],
  [
    "was declined while another amount moved",
    capture(),
    { capture: [taken], status: [Script.stands("declined", { "captured-amount": "5.00" })] },
    "Declined",
    "capture status"
  ],
  [
    "was refused after another amount moved",
    capture(),
    { capture: [refused], status: [approved({ ...heldOrder, capturedAmount: "5.00" })] },
    "NeedsAPerson",
    "capture status"
  ],
  [
    "was refused, and nobody can be asked after that",
    capture(),
    { capture: [refused], status: ["notSent"] },
    "NeedsAPerson",
    `capture${" status".repeat(90)}`
  ],
  [
    "was lost, and is not sent when it is sent again",
    capture(),
    { capture: ["lost", "notSent"], status: [unmoved] },
    "NeverHappened",
    "capture status capture capture capture status capture capture capture status"
  ],
  [
    "was lost by a former run, and is refused when it is sent again",
    capture({ isFormer: true }),
    { capture: ["lost", refused], status: [unmoved] },
    "Refused",
    "capture status capture status capture status"
  ],
  [
    "is looked for again where an earlier run has begun to send it again",
    begun({ "act 2 begun": "first" }, capture({ showsFollowUps: false })),
    { capture: ["lost"], status: [unmoved] },
    "NeedsAPerson",
    "capture status status"
  ],
  [
    "may have been sent before an earlier run, in which it was not sent",
    begun({ "act 1": notSent }, act("CAPTURE", "4.00", heldOrder, { isOpen: true, showsFollowUps: false }, heldOrder)),
    { status: [unmoved] },
    "NeedsAPerson",
    "status"
  ],
  [
    "waits for an order that still moves before it is sent",
    act("CAPTURE", "4.00", { ...heldOrder }, { order: { clientOrderId: "o-1", orderId: "7", status: "processing" } }),
    { capture: ["lost"], status: [unmoved, moved] },
    "approved",
    "status capture status"
  ]
]

describe("a capture", () => {
  for (const [what, flow, script, end, request] of ends)
    it.effect(`${what}: ${end}`, () =>
      Effect.gen(function* () {
        const played = yield* Script.play(script, flow, {}, Script.keyless)
        assert.deepStrictEqual([played.end, played.requests.join(" ")], [end, request])
      })
    )
})

describe("a request that was accepted", () => {
  it.effect("of a return leaves the type as it was", () =>
    Effect.gen(function* () {
      const returned = approved({ ...captured, returnedAmount: "4.00" })
      const flow = act("RETURN", "4.00", captured)
      const played = yield* Script.play({ return: [taken], status: [returned] }, flow, {}, Script.keyless)
      assert.deepStrictEqual([played.end, played.requests.join(" ")], ["approved", "return status"])
    })
  )

  const serialNumber = "00000000-0000-0000-0000-000000000001"
  for (const [answersByRequest, number] of [
    [true, serialNumber],
    [false, null]
  ] as const)
    it.effect(`is asked about by ${answersByRequest ? "its own number" : "that of its order"}`, () =>
      Effect.gen(function* () {
        const flow = capture({ answersByRequest })
        const { forms } = yield* Script.play({ capture: [taken], status: [moved] }, flow, {}, Script.keyless)
        assert.strictEqual(new URLSearchParams(forms[1]?.[1]).get("by-request-sn"), number)
      })
    )
})
