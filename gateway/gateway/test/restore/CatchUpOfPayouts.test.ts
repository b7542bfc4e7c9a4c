/** What each job of a payout becomes after a restore, by what the rail says. */
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import * as Decision from "../../src/kernel/Decision.ts"
import type { Order } from "../../src/orders/record/Order.ts"
import { OrderRequest } from "../../src/orders/record/OrderRequest.ts"
import { Approval } from "../../src/payouts/decide/Approval.ts"
import { Payout } from "../../src/recipients/Recipient.ts"
import { payout, sale } from "../domain/Sample.ts"
import { row } from "../Row.ts"
import { approved, declined } from "../usecases/Bank.ts"
import * as ScriptedServices from "../usecases/ScriptedServices.ts"
import { cannotSay, put, type Row, reportOf, requestOf, work } from "./CatchingUp.ts"

const encrypted = ScriptedServices.bytesOf(JSON.stringify({ kind: "account", number: "DE02", details: {} }))
const payoutIn = (state: Order["state"], action: "check" | "pay") => [
  ...put(sale({ kind: "payout", state, authorizedMinor: 0, capturedMinor: 0, createdAtMs: 1 }), requestOf(action)),
  Decision.put(Payout, payout({ encryptedDestination: encrypted }))
]
const checked = { job: work("lapse"), rows: payoutIn("checked", "check") }
const checking = { job: work("rail", "2"), rows: payoutIn("checking", "check") }
const paying = { job: work("rail", "2"), rows: payoutIn("paying", "pay") }

const rows: ReadonlyArray<Row> = [
  [
    "a payout that was paid after its check is under way",
    { ...checked, existing: { "1-pay-1": approved } },
    ["1-pay-0", "1-pay-1"],
    "paying #1"
  ],
  [
    "a payout that was refused after its check is under way",
    { ...checked, existing: { "1-pay-0": declined } },
    ["1-pay-0"],
    "paying"
  ],
  ["a payout that was not paid waits for its time", checked, ["1-pay-0", "1-pay-1"], "checked in 500"],
  [
    "a payout of which the rail cannot say anything is closed",
    { ...checked, existing: { "1-pay-0": cannotSay } },
    ["1-pay-0"],
    "checked held task unknown open"
  ],
  [
    "a check of a payout that was paid is under way",
    { ...checking, existing: { "1-pay-1": approved } },
    ["1-pay-0", "1-pay-1"],
    "paying #1"
  ],
  ["a check of a payout that was not paid is sent again", checking, ["1-pay-0", "1-pay-1"], "checking in 500"],
  ["a payment that the rail approved is paid", { ...paying, existing: { "1-pay-0": approved } }, ["1-pay-0"], "paid"],
  ["a payment that the rail does not know was never sent, and is not sent", paying, ["1-pay-0"], "failed"],
  [
    "a payment that the rail has listed and does not find has an unknown outcome",
    { ...paying, listed: ["1-pay-0"] },
    ["1-pay-0"],
    "unknown held task unknown open"
  ],
  ["a payout that is paid waits for its time", { ...checked, rows: payoutIn("paid", "pay") }, [], "paid in 500"],
  [
    "a confirmed payment of a payout waits for its time",
    {
      ...paying,
      rows: [...payoutIn("paid", "pay"), Decision.put(OrderRequest, requestOf("pay", 0, { progress: "approved" }))]
    },
    [],
    "paid in 500"
  ],
  [
    "a payout that waited for its approver and was paid is under way",
    {
      ...checked,
      rows: [
        ...payoutIn("waiting", "check"),
        Decision.put(OrderRequest, requestOf("pay", 3, { requestId: "7" })),
        Decision.put(Approval, row(Approval, { orderId: "1", version: 1, requestId: "7", state: "waiting" }))
      ],
      existing: { "1-pay-3": approved }
    },
    ["1-pay-3"],
    "paying"
  ]
]

describe("after a restore", () => {
  it.effect.each(rows)("%s", ([, setup, requests, outcome]) =>
    Effect.gen(function* () {
      assert.deepStrictEqual(yield* reportOf(setup), [requests, outcome])
    })
  )
})
