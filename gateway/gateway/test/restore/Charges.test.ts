/** Occurrences of a recurring payment that were due before a restore: one that the bank has charged is charged here, too. */
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import * as Decision from "../../src/kernel/Decision.ts"
import * as Ids from "../../src/kernel/Ids.ts"
import { Subscription } from "../../src/recurring/Subscription.ts"
import { job, subscription } from "../domain/Sample.ts"
import { approved, declined } from "../usecases/Bank.ts"
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

/** What is asked about, the orders, the occurrences, and whether the recurring payment is still held. */
const rows: ReadonlyArray<Row> = [
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

describe("an occurrence that was due before a restore", () => {
  it.effect.each(rows)("%s", ([, setup, outcome]) =>
    Effect.gen(function* () {
      const { charges, isHeld, occurrences, requests } = yield* run(setup)
      assert.deepStrictEqual([requests, charges, occurrences, isHeld], [...outcome])
    })
  )
})
