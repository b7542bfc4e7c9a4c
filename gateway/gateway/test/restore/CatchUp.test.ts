/** What each job of a restored copy becomes, by what bank and rail say: nothing of the former gateway is sent or reversed again. */
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { HostedSession } from "../../src/hosted/decide/HostedSession.ts"
import * as Decision from "../../src/kernel/Decision.ts"
import { Job } from "../../src/kernel/Job.ts"
import * as Unexpected from "../../src/orders/decide/Unexpected.ts"
import { BankTask } from "../../src/orders/record/BankTask.ts"
import { Order } from "../../src/orders/record/Order.ts"
import { OrderRequest } from "../../src/orders/record/OrderRequest.ts"
import { Occurrence, Subscription } from "../../src/recurring/decide/Subscription.ts"
import { HeldJob } from "../../src/restore/HeldJob.ts"
import { Authentication } from "../../src/threeds/decide/Authentication.ts"
import { occurrence, preauth, sale, session, subscription } from "../domain/Sample.ts"
import { row } from "../Row.ts"
import { approved, authorizing, declined } from "../usecases/Bank.ts"
import { cannotSay, longestMs, nowMs, put, type Row, reportOf, requestOf, work } from "./CatchingUp.ts"

const charge = sale({ ...authorizing, hasCvv: 0, createdAtMs: 1 })
const bankWork = work("bank", "2")

const inFlight = { job: bankWork, rows: put(charge, requestOf("sale")) }
const recurs = {
  job: bankWork,
  rows: [
    ...put({ ...charge, subscriptionId: "9" }, requestOf("sale")),
    Decision.put(Subscription, subscription()),
    Decision.put(Occurrence, occurrence({ day: "1970-01-01", firstAtMs: 1 })),
    Decision.put(Occurrence, occurrence({ n: 2, orderId: null, progress: "skipped" }))
  ]
}
const newRefund = {
  job: bankWork,
  rows: put(sale({ createdAtMs: 1 }), requestOf("refund", 1, { operation: "RETURN" })),
  isHeld: false
}
const openPage = {
  job: work("session"),
  rows: [
    ...put(
      sale({ ...authorizing, state: "registered", createdAtMs: 1 }),
      requestOf("sale", 1, { operation: "SALEFORM" })
    ),
    Decision.put(HostedSession, session({ attempts: 1, paying: 0 }))
  ]
}
const authenticating = {
  job: work("threeds"),
  rows: [
    ...put(sale({ ...authorizing, state: "authenticating", createdAtMs: 1 }), requestOf("sale")),
    Decision.put(Authentication, row(Authentication, { orderId: "1", version: 1, stage: "challenge" }))
  ]
}
const reversalTask = Unexpected.taskOf(
  sale({ state: "declined" }),
  { source: "bank", reference: "1-sale-0", verdict: "approved", amountMinor: 10_000 },
  true,
  1
)
const unclearTask = Decision.put(
  BankTask,
  Unexpected.taskOf(
    charge,
    { source: "bank", reference: "1-sale-0", verdict: "unknown", amountMinor: 10_000 },
    false,
    1
  )
)
const begun = {
  ...newRefund,
  job: { ...bankWork, openAttempts: 2, startedAtMs: nowMs - longestMs },
  rows: put(sale({ createdAtMs: 1 }), requestOf("refund", 1, { operation: "RETURN", progress: "unknown" }))
}
const expiring = {
  job: work("lapse"),
  rows: put(preauth({ createdAtMs: 1 }), requestOf("authorize", 0, { operation: "PREAUTH", progress: "approved" }))
}
/** The registration of what the bank has booked for the order has not ended. */
const registration = work("enumerate")
const registering = [
  Decision.put(Job, registration),
  Decision.put(HeldJob, { jobId: registration.jobId, kind: "enumerate", subject: "1", dueAtMs: 1, taskId: null })
]
const reversing = {
  job: work("reversal", "1-sale-0.approved"),
  rows: [
    ...put(sale({ state: "declined", createdAtMs: 1 }), requestOf("sale", 0, { progress: "declined" })),
    Decision.put(BankTask, reversalTask)
  ]
}

const rows: ReadonlyArray<Row> = [
  [
    "a request that the bank approved is approved",
    { ...inFlight, existing: { "1-sale-0": approved } },
    ["1-sale-0"],
    "settled"
  ],
  [
    "a request that the bank declined is declined",
    { ...inFlight, existing: { "1-sale-0": declined } },
    ["1-sale-0"],
    "declined"
  ],
  ["a request that the bank does not know was never sent, and is not sent", inFlight, ["1-sale-0"], "failed"],
  [
    "a request that may still arrive has an unknown outcome",
    { ...inFlight, sinceMs: longestMs - 1 },
    ["1-sale-0"],
    "unknown held task unknown open"
  ],
  [
    "a request that the bank has listed and does not find has an unknown outcome",
    { ...inFlight, listed: ["1-sale-0"] },
    ["1-sale-0"],
    "unknown held task unknown open"
  ],
  [
    "a request of which the bank cannot say anything has an unknown outcome",
    { ...inFlight, existing: { "1-sale-0": cannotSay } },
    ["1-sale-0"],
    "unknown held task unknown open"
  ],
  [
    "a recurring charge has the number of its later attempt that was approved",
    { ...recurs, existing: { "1-sale-0": declined, "1-sale-2": approved } },
    ["1-sale-0", "1-sale-1", "1-sale-2"],
    "authorizing #2 held occurrence 1 charging attempt 3 occurrence 2 skipped"
  ],
  [
    "a recurring charge whose later attempt is unclear has an unknown outcome",
    { ...recurs, existing: { "1-sale-0": declined, "1-sale-1": cannotSay } },
    ["1-sale-0", "1-sale-1"],
    "unknown held task unknown open occurrence 1 charging occurrence 2 skipped"
  ],
  [
    "no later attempt is asked about if the own one was approved",
    { ...recurs, existing: { "1-sale-0": approved, "1-sale-2": approved } },
    ["1-sale-0"],
    "settled occurrence 1 charged occurrence 2 skipped"
  ],
  [
    "a new follow-up of an older order is sent if the bank does not know it",
    newRefund,
    ["1-refund-1", "send refund"],
    "settled #1"
  ],
  [
    "a new follow-up that the former gateway had sent is not sent",
    { ...newRefund, existing: { "1-refund-1": approved } },
    ["1-refund-1"],
    "settled #1"
  ],
  [
    "a new follow-up of which the bank cannot say anything is not sent",
    { ...newRefund, existing: { "1-refund-1": cannotSay } },
    ["1-refund-1"],
    "settled #1"
  ],
  [
    "a new follow-up of a younger order is sent at once",
    { ...newRefund, rows: put(sale({ createdAtMs: nowMs }), requestOf("refund", 1, { operation: "RETURN" })) },
    ["send refund"],
    "settled #1"
  ],
  ["a job of a store that was not restored runs", { ...newRefund, isOriginal: true }, ["send refund"], "settled #1"],
  [
    "an open page that was paid is under way",
    { ...openPage, existing: { "1-sale-2": declined, "1-sale-3": approved } },
    ["1-sale-2", "1-sale-3"],
    "authorizing #3"
  ],
  ["an open page that was not paid waits for its time", openPage, ["1-sale-2", "1-sale-3"], "registered #1 in 500"],
  [
    "an open page of which the bank cannot say anything is closed",
    { ...openPage, existing: { "1-sale-2": cannotSay } },
    ["1-sale-2"],
    "registered #1 held task unknown open"
  ],
  [
    "a payment in 3-D Secure that was approved is under way",
    { ...authenticating, existing: { "1-sale-0": approved } },
    ["1-sale-0"],
    "authorizing"
  ],
  [
    "a payment in 3-D Secure that was not sent waits for its issuer",
    authenticating,
    ["1-sale-0"],
    "authenticating in 500"
  ],
  [
    "a payment in 3-D Secure of which the bank cannot say anything is closed",
    { ...authenticating, existing: { "1-sale-0": cannotSay } },
    ["1-sale-0"],
    "authenticating held task unknown open"
  ],
  ["a reversal that had begun waits for an operator", reversing, [], "declined task approved open"],
  [
    "a new follow-up that is listed is never sent, also if it was begun",
    { ...begun, listed: ["1-refund-1"] },
    ["1-refund-1"],
    "settled #1"
  ],
  ["a new follow-up that was begun and is not listed goes on", begun, ["1-refund-1", "send refund"], "settled #1"],
  [
    "a new follow-up of an order from the moment of the start is inquired about",
    {
      ...newRefund,
      rows: put(sale({ createdAtMs: nowMs - longestMs }), requestOf("refund", 1, { operation: "RETURN" }))
    },
    ["1-refund-1", "send refund"],
    "settled #1"
  ],
  [
    "a page on which a payment is in flight waits for its time",
    { ...openPage, rows: [...openPage.rows, Decision.put(Order, charge)] },
    [],
    "authorizing #1 in 500"
  ],
  [
    "a payment in 3-D Secure that was approved at a later attempt of its page is under way",
    {
      ...authenticating,
      rows: [
        ...authenticating.rows,
        Decision.put(OrderRequest, requestOf("sale", 0, { operation: "SALEFORM" })),
        Decision.put(HostedSession, session())
      ],
      existing: { "1-sale-2": approved }
    },
    ["1-sale-0", "1-sale-1", "1-sale-2"],
    "authorizing #2"
  ],
  [
    "an unclear request has one task, which closes with its outcome",
    {
      ...inFlight,
      rows: [...inFlight.rows, unclearTask],
      taskId: "1-sale-0.unknown",
      existing: { "1-sale-0": approved }
    },
    ["1-sale-0"],
    "settled task unknown closed"
  ],
  [
    "an unclear request that stays unclear has no other task",
    {
      ...inFlight,
      rows: [...inFlight.rows, unclearTask],
      taskId: "1-sale-0.unknown",
      existing: { "1-sale-0": cannotSay }
    },
    ["1-sale-0"],
    "unknown held task unknown open"
  ],
  [
    "an expiry of a hold waits while a follow-up of the bank is registered",
    { ...expiring, rows: [...expiring.rows, ...registering] },
    [],
    "authorized held"
  ],
  ["an expiry of a hold without a follow-up is due at its time", expiring, [], "authorized in 500"],
  [
    "a reversal that has ended stays so",
    {
      ...reversing,
      rows: [...reversing.rows, Decision.put(BankTask, { ...reversalTask, state: "reversed" })]
    },
    [],
    "declined task approved reversed"
  ]
]

describe("after a restore", () => {
  it.effect.each(rows)("%s", ([, setup, requests, outcome]) =>
    Effect.gen(function* () {
      assert.deepStrictEqual(yield* reportOf(setup), [requests, outcome])
    })
  )
})
