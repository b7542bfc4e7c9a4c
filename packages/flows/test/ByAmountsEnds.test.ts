/** How a capture ends that is sent once and judged by what has moved. */
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import type { Way } from "../src/Way.ts"
import { act, approved, held, type Moved } from "./Amounts.ts"
import * as Script from "./Script.ts"

const moved = approved({ ...held, capturedAmount: "4.00" })
const unmoved = approved(held)
const stands = Script.stands
const capture = (changes: Partial<Way> = {}, before: Moved | undefined = held) =>
  act("CAPTURE", "4.00", before, changes)
const refused = Script.refuses(1)

const ends: ReadonlyArray<
  readonly [what: string, flow: ReturnType<typeof capture>, script: Script.Script, end: string, asked: string]
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
  [
    "waits for an order that still moves before it is sent",
    act("CAPTURE", "4.00", { ...held }, { order: { clientOrderId: "o-1", orderId: "7", status: "processing" } }),
    { capture: ["lost"], status: [unmoved, moved] },
    "approved",
    "status capture status"
  ]
]

describe("a capture", () => {
  for (const [what, flow, script, end, asked] of ends)
    it.effect(`${what}: ${end}`, () =>
      Effect.gen(function* () {
        const played = yield* Script.play(script, flow, {}, Script.keyless)
        assert.deepStrictEqual([played.end, played.asked.join(" ")], [end, asked])
      })
    )
})
