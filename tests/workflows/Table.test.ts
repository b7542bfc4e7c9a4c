import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import * as TextTable from "../../packages/schema/test/TextTable.ts"
import { byName, cases } from "./Cases.ts"
import { faults } from "./Faults.ts"
import * as OwnOutcome from "./OwnOutcome.ts"

/** Every flow against everything that can go wrong: what its caller sees. */
const table = `
flow                    | nothing  | request lost | answer lost | answer late | answer twice | request late | request twice | unreachable | callback first | callback never | callback forged | clock jumps | interrupted | started twice | gateway killed | merchant killed | killed at once          | customer leaves
CardSale                | approved | approved     | approved    | approved    | approved     | approved     | approved      | approved    | approved       | approved       | approved        | approved    | approved    | approved      | approved       | approved        | NeverHappened, approved | approved
CardSale, 3DS gateway   | approved | approved     | approved    | approved    | approved     | approved     | approved      | approved    | approved       | approved       | approved        | approved    | approved    | approved      | approved       | approved        | NeverHappened, approved | Abandoned
CardSale, 3DS merchant  | approved | approved     | approved    | approved    | approved     | approved     | approved      | approved    | approved       | approved       | approved        | approved    | approved    | approved      | approved       | approved        | NeverHappened, approved | Abandoned
CardSale, 3DS 1.0.2     | approved | approved     | approved    | approved    | approved     | approved     | approved      | approved    | approved       | approved       | approved        | approved    | approved    | approved      | approved       | approved        | NeverHappened, approved | Abandoned
Authorization           | approved | approved     | approved    | approved    | approved     | approved     | approved      | approved    | approved       | approved       | approved        | approved    | approved    | approved      | approved       | approved        | NeverHappened, approved | approved
VerifyAccount           | approved | approved     | approved    | approved    | approved     | approved     | approved      | approved    | approved       | approved       | approved        | approved    | approved    | approved      | approved       | approved        | NeverHappened, approved | approved
Capture, a part         | approved | approved     | approved    | approved    | approved     | approved     | approved      | approved    | approved       | approved       | approved        | approved    | approved    | approved      | approved       | approved        | approved                | approved
Void                    | approved | approved     | approved    | approved    | approved     | approved     | approved      | approved    | approved       | approved       | approved        | approved    | approved    | approved      | approved       | approved        | approved                | approved
Refund, a part          | approved | approved     | approved    | approved    | approved     | approved     | approved      | approved    | approved       | approved       | approved        | approved    | approved    | approved      | approved       | approved        | approved                | approved
Tokenize                | approved | approved     | approved    | approved    | approved     | approved     | approved      | approved    | approved       | approved       | approved        | approved    | approved    | approved      | approved       | approved        | approved                | approved
KeepCard                | approved | approved     | approved    | approved    | approved     | approved     | approved      | approved    | approved       | approved       | approved        | approved    | approved    | approved      | approved       | approved        | approved                | approved
Rebill                  | approved | approved     | approved    | approved    | approved     | approved     | approved      | approved    | approved       | approved       | approved        | approved    | approved    | approved      | approved       | approved        | approved                | approved
Subscribe               | approved | approved     | approved    | approved    | approved     | approved     | approved      | approved    | approved       | approved       | approved        | approved    | approved    | approved      | approved       | approved        | NeverHappened, approved | approved
Subscribe, 3DS          | approved | approved     | approved    | approved    | approved     | approved     | approved      | approved    | approved       | approved       | approved        | approved    | approved    | approved      | approved       | approved        | NeverHappened, approved | Abandoned
ChargeSubscription      | approved | approved     | approved    | approved    | approved     | approved     | approved      | approved    | approved       | approved       | approved        | approved    | approved    | approved      | approved       | approved        | approved                | approved
ChangeSubscription      | approved | approved     | approved    | approved    | approved     | approved     | approved      | approved    | approved       | approved       | approved        | approved    | approved    | approved      | approved       | approved        | approved                | approved
PayOut                  | approved | approved     | approved    | approved    | approved     | approved     | approved      | approved    | approved       | approved       | approved        | approved    | approved    | approved      | approved       | approved        | approved                | approved
PayOutV2                | approved | approved     | approved    | approved    | approved     | approved     | approved      | approved    | approved       | approved       | approved        | approved    | approved    | approved      | approved       | approved        | approved                | approved
CheckPayOut, PayChecked | approved | approved     | approved    | approved    | approved     | approved     | approved      | approved    | approved       | approved       | approved        | approved    | approved    | approved      | approved       | approved        | approved                | approved
Transfer                | approved | approved     | approved    | approved    | approved     | approved     | approved      | approved    | approved       | approved       | approved        | approved    | approved    | approved      | approved       | approved        | NeverHappened, approved | approved
Transfer, 3DS           | approved | approved     | approved    | approved    | approved     | approved     | approved      | approved    | approved       | approved       | approved        | approved    | approved    | approved      | approved       | approved        | NeverHappened, approved | Abandoned
TransferByRef           | approved | approved     | approved    | approved    | approved     | approved     | approved      | approved    | approved       | approved       | approved        | approved    | approved    | approved      | approved       | approved        | approved                | approved
CanSend                 | approved | approved     | approved    | approved    | approved     | approved     | approved      | approved    | approved       | approved       | approved        | approved    | approved    | approved      | approved       | approved        | approved                | approved
HostedSale              | approved | approved     | approved    | approved    | approved     | approved     | approved      | approved    | approved       | approved       | approved        | approved    | approved    | approved      | approved       | approved        | approved                | Abandoned
HostedAuthorization     | approved | approved     | approved    | approved    | approved     | approved     | approved      | approved    | approved       | approved       | approved        | approved    | approved    | approved      | approved       | approved        | approved                | Abandoned
HostedPayment           | approved | approved     | approved    | approved    | approved     | approved     | approved      | approved    | approved       | approved       | approved        | approved    | approved    | approved      | approved       | approved        | approved                | Abandoned
HostedPayOut            | approved | approved     | approved    | approved    | approved     | approved     | approved      | approved    | approved       | approved       | approved        | approved    | approved    | approved      | approved       | approved        | approved                | Abandoned
HostedVerification      | approved | approved     | approved    | approved    | approved     | approved     | approved      | approved    | approved       | approved       | approved        | approved    | approved    | approved      | approved       | approved        | approved                | Abandoned
`

const [head = [], ...rows] = TextTable.rows(table)

it("the table has each flow and each fault", () => {
  assert.deepStrictEqual(
    head.slice(1),
    faults.map(({ name }) => name)
  )
  assert.deepStrictEqual(
    rows.map(([name]) => name),
    cases.map(({ name }) => name)
  )
})

/**
 * Flows of each kind. `npm test` runs the longest faults, and everything on a file and on a cluster, with these only, and of the other
 * flows every fifth fault.
 */
const ofEachKind = new Set(["CardSale", "CardSale, 3DS merchant", "Capture, a part", "PayOut"])

// Side by side: what takes the time are pauses.
describe.concurrent.each(rows)("the flow %s", (name, ...cells) => {
  const row = rows.findIndex(([other]) => other === name)
  for (const [index, fault] of faults.entries()) {
    const isLong = fault.killPlan !== undefined || fault.abandoned === true || (row + index) % 5 !== 0
    const others = isLong && !ofEachKind.has(name ?? "") ? ", as the others" : ""
    it.effect(`${fault.name}${others}: ${cells[index]}`, () =>
      Effect.gen(function* () {
        assert.strictEqual(yield* OwnOutcome.outcomeOf(byName(name ?? ""), fault), cells[index])
      })
    )
  }
})

/** Faults of one process, which a flow on a file meets, too. Its last columns run on a file already. */
const ofOneProcess = faults.filter(({ killPlan }) => killPlan === undefined)

/** Returns the end on an engine that stores steps. A run after a pause has no security code, as after a kill, and a lost request is then not sent again. */
const endStored = (fault: string, cells: ReadonlyArray<string>): string | undefined => {
  const cellOf = (name: string) => cells[faults.findIndex((one) => one.name === name)]
  return cellOf(fault === "request lost" ? "killed at once" : fault)
}

for (const on of ["file", "cluster"] as const) {
  describe.concurrent.each(rows)("the flow %s", (name, ...cells) => {
    const group = ofEachKind.has(name ?? "") ? `on a ${on}` : `on a ${on}, as the others`
    describe.concurrent(group, () => {
      for (const fault of ofOneProcess) {
        const end = endStored(fault.name, cells)
        it.effect(`${fault.name}: ${end}`, () =>
          Effect.gen(function* () {
            assert.strictEqual(yield* OwnOutcome.outcomeOf(byName(name ?? ""), fault, { on }), end)
          })
        )
      }
    })
  })
}
