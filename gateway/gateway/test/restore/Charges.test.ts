/** Occurrences of a recurring payment that were due before a restore: one that the bank has charged is charged here, too. */
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import * as Decision from "../../src/kernel/Decision.ts"
import * as Ids from "../../src/kernel/Ids.ts"
import * as Unexpected from "../../src/orders/decide/Unexpected.ts"
import { BankTask } from "../../src/orders/record/BankTask.ts"
import { Order } from "../../src/orders/record/Order.ts"
import { OrderRequest } from "../../src/orders/record/OrderRequest.ts"
import { Occurrence, Subscription } from "../../src/recurring/decide/Subscription.ts"
import * as Adoption from "../../src/restore/Adoption.ts"
import { BankBooking } from "../../src/restore/BankBooking.ts"
import { job, occurrence, request, sale, subscription } from "../domain/Sample.ts"
import { approved, authorizing, declined } from "../usecases/Bank.ts"
import { run, type Setup } from "./CatchingUp.ts"

/** Occurrences 1 and 2 are due, on the last days of February and March. */
const nowMs = Date.UTC(2027, 3, 1)
const numberOf = (n: number): string => Ids.derived(`9:1000:${n}:0`)
const [first, second] = [`${numberOf(1)}-sale-0`, `${numberOf(2)}-sale-0`]
const recurring = (changes: Partial<Subscription> = {}): Setup => ({
  nowMs,
  job: job({ jobId: "recurring:9", kind: "recurring", subject: "9", leaseUntilMs: nowMs + 60_000 }),
  rows: [Decision.put(Subscription, subscription(changes))]
})
const cannotSay = { _tag: "CannotSay" } as const
const charged = [[first], [numberOf(1)], ["1 charging"], true]

type Row = readonly [what: string, setup: Setup, outcome: ReadonlyArray<unknown>]

/** A booking under the number of the first occurrence. */
const booked = (amountMinor: number): Decision.Write =>
  Decision.put(
    BankBooking,
    Adoption.rowOf(
      Adoption.lists.bank,
      {
        ...{ reference: "8-sale-0", kind: "sale", amountMinor, currency: "USD", atMs: 1, result: "approved" },
        ...{ clientOrderId: "9:1", merchantId: "shop" }
      },
      "shop",
      1
    )
  )
const withBooking = (amountMinor: number, changes: Partial<Subscription> = {}): Setup => ({
  ...recurring(changes),
  rows: [...recurring(changes).rows, booked(amountMinor)]
})

/** The open task about a charge that the bank could not say. */
const taskAbout = (reference: string): Decision.Write => {
  const charge = {
    orderId: numberOf(1),
    merchantId: "shop",
    clientOrderId: "9:1",
    currency: "USD",
    state: "authorizing"
  } as const
  const statement = { source: "bank", reference, verdict: "unknown", amountMinor: 1_000 } as const
  return Decision.put(BankTask, Unexpected.taskOf(charge, statement, false, 1))
}

/** What is asked about, the orders, the occurrences, and whether the recurring payment is still held. */
const rows: ReadonlyArray<Row> = [
  [
    "that is listed under its number has the order of the booking",
    withBooking(1_000),
    [[], ["8"], ["1 charging"], true]
  ],
  ["under whose number another amount is listed is skipped", withBooking(999), [[], [], ["1 skipped"], true]],
  [
    "under whose number another amount is listed is left to its day during a pause",
    withBooking(999, { state: "paused" }),
    [[second], [], [], false]
  ],
  ["that the bank approved is charged", { ...recurring(), existing: { [first]: approved } }, charged],
  [
    "that the bank declined is charged, and may be tried again",
    { ...recurring(), existing: { [first]: declined } },
    charged
  ],
  [
    "that the bank approved is charged during a pause",
    { ...recurring({ state: "paused" }), existing: { [first]: approved } },
    charged
  ],
  [
    "that the bank approved is charged with a card that has expired",
    { ...recurring({ expireYear: 2026 }), existing: { [first]: approved } },
    charged
  ],
  [
    "that the bank approved is charged on an endpoint that is off",
    { ...recurring(), endpoint: undefined, existing: { [first]: approved } },
    [[first], [], [], true]
  ],
  [
    "of which the bank cannot say anything stays closed",
    { ...recurring(), existing: { [first]: cannotSay } },
    [[first], [], [], true]
  ],
  [
    "that the bank has listed and does not find stays closed",
    { ...recurring(), listed: [first] },
    [[first], [], [], true]
  ],
  ["that the bank does not know is left to its day", recurring(), [[first, second], [], [], false]],
  [
    "before one that the bank approved was missed",
    { ...recurring(), existing: { [second]: approved } },
    [[first, second], [], ["1 skipped"], true]
  ],
  [
    "is the last one: its charge opens the recurring payment",
    { ...recurring({ next: 2 }), existing: { [second]: approved } },
    [[second], [numberOf(2)], ["2 charging"], false]
  ]
]

/** A charge that was declined and waits for its next attempt, in March or at the end of the schedule. */
const retrying = (changes: Partial<Subscription> = {}): Setup => ({
  ...recurring(changes),
  rows: [
    ...recurring(changes).rows,
    Decision.put(Order, sale({ ...authorizing, state: "registered", createdAtMs: 1 })),
    Decision.put(OrderRequest, request({ operation: "RECURRING_CHARGE", action: "sale", sequence: 0 })),
    Decision.put(Occurrence, occurrence({ progress: "retrying", nextTryAtMs: nowMs }))
  ]
})
const tries = ["1-sale-1", "1-sale-2", "1-sale-3"]

describe("a declined charge that was tried again before a restore", () => {
  const cases: ReadonlyArray<readonly [string, Setup, ReadonlyArray<unknown>]> = [
    [
      "is in flight under the number of the attempt that was approved",
      { ...retrying(), existing: { "1-sale-2": approved } },
      [tries.slice(0, 2), [], ["1 charging attempt 3"], true]
    ],
    [
      "stays closed if the bank cannot say it",
      { ...retrying(), existing: { "1-sale-1": cannotSay } },
      [tries.slice(0, 1), [], ["1 retrying"], true]
    ],
    [
      "goes on if there was no other attempt, and stays held for what follows",
      retrying(),
      [tries, ["recurring"], ["1 retrying"], true]
    ],
    [
      "goes on, and opens the recurring payment if nothing else was due",
      retrying({ period: "yearly" }),
      [tries, [], ["1 retrying"], false]
    ]
  ]
  it.effect.each(cases)("%s", ([, setup, outcome]) =>
    Effect.gen(function* () {
      const { isHeld, occurrences, ran, requests } = yield* run(setup)
      assert.deepStrictEqual([requests, ran, occurrences, isHeld], [...outcome])
    })
  )
})

/** A recurring payment for which the copy had no job: the charge before it was unfinished, or the payment was paused. */
const notHeld = (setup: Setup): Setup => ({ ...setup, isHeld: false })

describe("an occurrence that was due before a restore, of a recurring payment without a job in the copy", () => {
  it.effect.each<Row>([
    [
      "that the bank approved is charged",
      notHeld({ ...recurring(), existing: { [first]: approved } }),
      charged.with(3, false)
    ],
    [
      "of which the bank cannot say anything stays closed",
      notHeld({ ...recurring(), existing: { [first]: cannotSay } }),
      [[first], [], [], true]
    ],
    ["that the bank does not know is charged on its day", notHeld(recurring()), [[first, second], [], [], false]],
    [
      "and that begins after the restore is not inquired about",
      notHeld(recurring({ createdAtMs: nowMs })),
      [[], [], [], false]
    ]
  ])("%s", ([, setup, outcome]) =>
    Effect.gen(function* () {
      const { charges, isHeld, occurrences, requests } = yield* run(setup)
      assert.deepStrictEqual([requests, charges, occurrences, isHeld], [...outcome])
    })
  )
})

describe("a charge that cannot be registered", () => {
  const unclear = { ...recurring(), existing: { [first]: cannotSay } }
  it.effect.each<readonly [what: string, setup: Setup, tasks: ReadonlyArray<string>]>([
    ["is a task if the bank cannot say what became of it", unclear, ["unknown open"]],
    [
      "is a task if its endpoint is off",
      { ...recurring(), endpoint: undefined, existing: { [first]: approved } },
      ["unknown open"]
    ],
    [
      "has no second task",
      { ...unclear, taskId: `${first}.unknown`, rows: [...unclear.rows, taskAbout(first)] },
      ["unknown open"]
    ],
    [
      "has a closed task when it is registered",
      {
        ...recurring(),
        existing: { [first]: approved },
        taskId: `${first}.unknown`,
        rows: [...recurring().rows, taskAbout(first)]
      },
      ["unknown closed"]
    ]
  ])("%s", ([, setup, expected]) =>
    Effect.gen(function* () {
      assert.deepStrictEqual((yield* run(setup)).allTasks, [...expected])
    })
  )
})

describe("an occurrence that was due before a restore", () => {
  it.effect.each(rows)("%s", ([, setup, outcome]) =>
    Effect.gen(function* () {
      const { charges, isHeld, occurrences, requests } = yield* run(setup)
      assert.deepStrictEqual([requests, charges, occurrences, isHeld], [...outcome])
    })
  )
})

describe("the follow-ups of a charge that a restored copy lacks", () => {
  it.effect.each([
    ["are registered if some are listed", [`${numberOf(1)}-refund-1`], [numberOf(1)]],
    ["are not looked for if none is listed", [], []]
  ] as const)("%s", ([, listed, registering]) =>
    Effect.gen(function* () {
      const done = yield* run({ ...recurring(), existing: { [first]: approved }, listed })
      assert.deepStrictEqual(done.registering, [...registering])
    })
  )
})
