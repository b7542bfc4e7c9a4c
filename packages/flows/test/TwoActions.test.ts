/**
 * Two actions at once on one order, at a gateway without `Idempotency-Key`: as many report success as the bank has effects, or a
 * person is asked.
 */
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import * as TextTable from "../../schema/test/TextTable.ts"
import { temporaryFile } from "../../sqlite/test/TemporaryFolder.ts"
import * as KeylessGateway from "./KeylessGateway.ts"
import { atOnce, capture, inMemory, onCluster, onFile, refund, voidAll } from "./TurnEngines.ts"

/** The requests of the first action, then those of the second: what happens to each on its way. */
const losses: ReadonlyArray<ReadonlyArray<KeylessGateway.Fault>> = [
  ["ok"],
  ["request lost"],
  ["ok", "request lost"],
  ["answer lost"],
  ["ok", "answer lost"],
  ["request late"],
  ["request lost", "answer lost"]
]

const actions = {
  "refund a 5.00": refund("a", "5.00"),
  "refund b 5.00": refund("b", "5.00"),
  "refund b 3.00": refund("b", "3.00"),
  "refund c 6.00": refund("c", "6.00"),
  "refund d 6.00": refund("d", "6.00"),
  "capture a 5.00": capture("a", "5.00"),
  "capture b 5.00": capture("b", "5.00"),
  "capture 10.00": capture("a", "10.00"),
  void: voidAll
}

/** How the actions end where this engine acts alone, whichever begins. Of an order that is captured, status shows no lost void. */
const table = `
actions                       | order | ends
refund a 5.00, refund b 5.00  | sale  | approved, approved
refund a 5.00, refund b 3.00  | sale  | approved, approved
refund c 6.00, refund d 6.00  | sale  | approved, NotAccepted
capture a 5.00, capture b 5.00| hold  | approved, approved
capture a 5.00, void          | hold  | approved, NotAccepted; approved, NeedsAPerson
void, capture 10.00            | hold  | approved, NotAccepted; approved, NeedsAPerson
`
const [, ...rows] = TextTable.rows(table)
const orders = { sale: "sale", hold: "hold" } as const

const assertEven = (ends: ReadonlyArray<string>, { books, sent }: KeylessGateway.KeylessGateway) => {
  const summary = `${ends.join(", ")}; ${books.join(", ")}; ${sent.join(", ")}`
  const successes = ends.filter((end) => end === "approved").length
  const persons = ends.filter((end) => end === "NeedsAPerson").length
  assert.isAtLeast(books.length, successes, summary)
  assert.isAtMost(books.length, successes + persons, summary)
}

const approvedFirst = (one: string, other: string) => Number(other === "approved") - Number(one === "approved")

const alone = { actsAlone: true }

for (const [names = "", orderName = "", ends = ""] of rows) {
  const order = TextTable.named(orders, orderName)
  const both = atOnce(...TextTable.list<(typeof actions)["void"]>(actions, names))
  const isFirstRow = names === rows[0]?.[0]
  for (const faults of losses) {
    const title = `${names}: ${faults.join(", ")}`
    const gatewayHere = () => KeylessGateway.make({ order, faults })
    const assertEnds = (ended: ReadonlyArray<string>, gateway: KeylessGateway.KeylessGateway) => {
      assert.include(ends.split("; "), ended.toSorted(approvedFirst).join(", "))
      assertEven(ended, gateway)
    }
    describe("two actions at once on one order, at a gateway without keys, in memory", () => {
      it.effect(title, () =>
        Effect.gen(function* () {
          const gateway = gatewayHere()
          assertEnds(yield* inMemory(both, { client: gateway.client, settings: alone }), gateway)
        })
      )
      it.effect(`${title}, and others may act`, () =>
        Effect.gen(function* () {
          const gateway = gatewayHere()
          assertEven(yield* inMemory(both, { client: gateway.client }), gateway)
        })
      )
    })
    describe(`two actions at once on one order, at a gateway without keys, on a file${isFirstRow ? "" : ", each pair"}`, () => {
      it.effect(title, () =>
        Effect.gen(function* () {
          const gateway = gatewayHere()
          const options = { client: gateway.client, settings: alone }
          assertEnds(yield* onFile(yield* temporaryFile)(both, options), gateway)
        })
      )
    })
    const isShort = isFirstRow && faults.includes("request lost")
    describe(`two actions at once on one order, at a gateway without keys, on a cluster${isShort ? "" : ", each pair"}`, () => {
      it.live(title, () =>
        Effect.gen(function* () {
          const gateway = gatewayHere()
          assertEnds(yield* onCluster(both, { client: gateway.client, settings: alone }), gateway)
        })
      )
    })
  }
}
