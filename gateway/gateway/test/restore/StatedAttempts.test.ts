/** Attempts from before a restore of which the bank cannot say what became of them, and what two people state of them. */
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { HostedSession } from "../../src/hosted/decide/HostedSession.ts"
import * as Decision from "../../src/kernel/Decision.ts"
import * as Unexpected from "../../src/orders/decide/Unexpected.ts"
import { BankNotice } from "../../src/orders/record/BankNotice.ts"
import { BankTask } from "../../src/orders/record/BankTask.ts"
import { sale, session } from "../domain/Sample.ts"
import { approved, authorizing, declined } from "../usecases/Bank.ts"
import { cannotSay, put, type Row, reportOf, requestOf, work } from "./CatchingUp.ts"

const order = sale({ ...authorizing, state: "registered", createdAtMs: 1 })
const about = (sequence: number) => `1-sale-${sequence}`
const taskAbout = (sequence: number): BankTask =>
  Unexpected.taskOf(
    order,
    { source: "bank", reference: about(sequence), verdict: "unknown", amountMinor: 10_000 },
    false,
    1
  )
const stated = (sequence: number, answer: typeof approved | typeof declined) => [
  Decision.put(BankTask, { ...taskAbout(sequence), state: "closed" }),
  Decision.append(BankNotice, {
    ...{ noticeId: `stated ${about(sequence)}.unknown`, reference: about(sequence), orderId: "1", fact: "Outcome" },
    ...{ answer: JSON.stringify(answer), atMs: 1 }
  })
]

/** A page of which the copy knows one attempt, at a bank that can say nothing. */
const page = {
  job: work("session"),
  rows: [
    ...put(order, requestOf("sale", 1, { operation: "SALEFORM" })),
    Decision.put(HostedSession, session({ attempts: 1, paying: 0 }))
  ],
  existing: { "1-sale-2": cannotSay, "1-sale-3": cannotSay }
}

const rows: ReadonlyArray<Row> = [
  ["an attempt that the bank cannot tell has a task", page, ["1-sale-2"], "registered #1 held task unknown open"],
  [
    "an attempt that two people state as approved is taken over, and the bank is not asked",
    { ...page, rows: [...page.rows, ...stated(2, approved)], taskId: `${about(2)}.unknown` },
    [],
    "authorizing #2 task unknown closed"
  ],
  [
    "an attempt that two people state as declined is followed by a task about the next one",
    { ...page, rows: [...page.rows, ...stated(2, declined)], taskId: `${about(2)}.unknown` },
    ["1-sale-3"],
    "registered #1 held task unknown closed task unknown open"
  ],
  [
    "a task about an attempt that the bank can tell by now closes when the next one has its own",
    {
      ...page,
      rows: [...page.rows, Decision.put(BankTask, taskAbout(2))],
      existing: { ...page.existing, "1-sale-2": declined },
      taskId: `${about(2)}.unknown`
    },
    ["1-sale-2", "1-sale-3"],
    "registered #1 held task unknown closed task unknown open"
  ]
]

describe("after a restore", () => {
  it.effect.each(rows)("%s", ([, setup, requests, outcome]) =>
    Effect.gen(function* () {
      assert.deepStrictEqual(yield* reportOf(setup), [requests, outcome])
    })
  )
})
