/** Which stage of a dispute moves its money: every stage after every stage, and the amounts that do not fit. */
import { assert, describe, it } from "@effect/vitest"
import * as DisputeStage from "../../src/orders/decide/DisputeStage.ts"
import { type Stage, stages } from "../../src/orders/record/Dispute.ts"
import type { Order } from "../../src/orders/record/Order.ts"
import { preauth, sale, verification } from "./Sample.ts"

/** Rows: the stage before. Columns: the stage that the bank reports. */
const table = `
before   inquiry  opened   won      lost
inquiry  keep     take     keep     take
opened   keep     taken    give     taken
won      keep     late     keep     take
lost     keep     late     late     taken
`

const drawn = [
  ["before", ...stages],
  ...stages.map((before) => [before, ...stages.map((stage) => DisputeStage.movements[before][stage])])
]
  .map((cells) =>
    cells
      .map((cell) => cell.padEnd(9))
      .join("")
      .trimEnd()
  )
  .join("\n")

interface Before {
  readonly stage: Stage
  readonly bookedMinor: number
}
const none = undefined
const taken: Before = { stage: "opened", bookedMinor: 4_000 }
const refused: Before = { stage: "opened", bookedMinor: 0 }
const wonInPart: Before = { stage: "won", bookedMinor: 1_000 }

const whole = sale()
const half = sale({ chargedBackMinor: 4_000 })
const unknown = sale({ state: "unknown", authorizedMinor: 0, capturedMinor: 0 })
const waiting = preauth({ state: "authorizing", authorizedMinor: 0 })
const declined = sale({ state: "declined", authorizedMinor: 0, capturedMinor: 0 })
const larger = "it is larger than what was captured and not charged back before"
const other = "its amount is not the one that was charged back before"

type Row = readonly [
  what: string,
  order: Order,
  before: Before | undefined,
  stage: Stage,
  amountMinor: number,
  movedMinor: number,
  problem?: string
]
const rows: ReadonlyArray<Row> = [
  ["takes the whole payment", whole, none, "opened", 10_000, 10_000],
  ["takes no more than was captured", whole, none, "opened", 10_001, 0, larger],
  ["takes a part besides another dispute", half, none, "opened", 6_000, 6_000],
  ["takes no more than another dispute has left", half, none, "opened", 6_001, 0, larger],
  ["takes nothing of a hold that is not captured", preauth(), none, "opened", 1, 0, larger],
  ["takes of a capture whose answer is lost", preauth({ capturingMinor: 5_000 }), none, "opened", 5_000, 5_000],
  ["takes of a sale whose answer is lost", unknown, none, "opened", 10_000, 10_000],
  ["takes nothing of a preauth whose answer is lost", waiting, none, "opened", 10_000, 0, larger],
  ["takes nothing of a declined payment", declined, none, "opened", 10_000, 0, larger],
  ["takes nothing of a verification", verification(), none, "opened", 1, 0, larger],
  ["gives all of it back", half, taken, "won", 4_000, -4_000],
  ["gives a part of it back", half, taken, "won", 1_000, -1_000],
  ["gives no more back than it took", half, taken, "won", 4_001, 0, "more is given back than was charged back"],
  ["gives nothing back that was not booked", whole, refused, "won", 4_000, 0],
  ["is lost with the amount that was taken", half, taken, "lost", 4_000, 0],
  ["is lost with another amount", half, taken, "lost", 3_000, 0, other],
  ["is opened again with another amount", half, taken, "opened", 5_000, 0, other],
  ["takes what was too large before", whole, refused, "opened", 4_000, 4_000],
  ["takes again what was won in part", half, wonInPart, "lost", 3_000, 3_000],
  ["takes once where it was never opened here", whole, none, "lost", 10_000, 10_000]
]

describe("a dispute", () => {
  it("moves money by its stage", () => assert.strictEqual(drawn, table.trim()))

  it.each(rows.map((row) => [row[0], row] as const))(
    "%s",
    (_, [, order, dispute, stage, amountMinor, movedMinor, problem]) =>
      assert.deepStrictEqual(DisputeStage.judge({ order, dispute }, stage, amountMinor), {
        stage,
        movedMinor,
        ...(problem === undefined ? {} : { problem })
      })
  )

  it.each([
    ["opened", { stage: "won", bookedMinor: 0 }],
    ["won", { stage: "lost", bookedMinor: 4_000 }]
  ] as const)("stays as it was when %s comes late", (stage, dispute) =>
    assert.deepStrictEqual(DisputeStage.judge({ order: half, dispute }, stage, 4_000), {
      stage: dispute.stage,
      movedMinor: 0,
      problem: `it came after the dispute was ${dispute.stage}`
    })
  )
})
