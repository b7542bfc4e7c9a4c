/**
 * Shops with habits of their own. What public reports tell of shops is found, and so is what no list has; careful shops with habits
 * that look like mistakes have no finding.
 */
import { assert, describe, it } from "@effect/vitest"
import type { Finding, Kind } from "@pay/crashtest/Finding"
import { Effect } from "effect"
import * as ExampleRun from "../../tools/crashtest/scripts/ExampleRun.ts"
import * as ExampleShops from "../../tools/crashtest/scripts/ExampleShops.ts"
import type { Fault } from "../../tools/crashtest/src/plan/Faults.ts"
import type { Template } from "../../tools/crashtest/src/template/Template.ts"
import { summary } from "./Summary.ts"

type Changes = Partial<Template>

const refund = { request: "POST /orders/{order}/refund", paid: { json: "refund", is: "done" } }
const ofPart: Changes = { refund: { ...refund, amount: "5.00" } }
const withFailure: Changes = { refund: { ...refund, failed: { json: "refund", is: "failed" } } }
const withoutReplays: Changes = { gateway: { replays: false } }

const run = (habit: string, payments: number, kinds: ReadonlyArray<Fault> | undefined, template: Changes = {}) =>
  ExampleRun.run(ExampleShops.withHabit(habit), {
    ...{ payments, seed: 7, template: { patience: "2 seconds", ...template } },
    ...(kinds === undefined ? {} : { kinds })
  })

interface Careless {
  readonly habit: string
  readonly kinds: ReadonlyArray<Fault>
  readonly payments: number
  readonly finds: Kind
  /** Words of the finding. */
  readonly says: string
  readonly template?: Changes
}

const ofReports: ReadonlyArray<Careless> = [
  {
    ...{ habit: "endsAtHtml", kinds: ["htmlAfter"], payments: 4, finds: "crashed" },
    says: "cannot read the answer of the gateway"
  },
  {
    ...{ habit: "failsToContinue", kinds: ["killedBefore", "killedWaiting"], payments: 12, finds: "crashed" },
    says: "cannot continue an order"
  },
  {
    ...{ habit: "failsAfterLostAnswer", kinds: ["lostAnswer"], payments: 6, finds: "chargedNotTold" },
    says: "The customer saw that the payment failed"
  },
  {
    ...{ habit: "newNumberAfterKill", kinds: ["killedAfter"], payments: 12, finds: "chargedTwice" },
    says: "payments for one order"
  },
  {
    ...{ habit: "dropsUnknownCallback", kinds: ["earlyCallback"], payments: 4, finds: "stuck" },
    says: "neither paid nor unpaid"
  },
  {
    ...{ habit: "waitsForCallbacks", kinds: ["lostCallback"], payments: 4, finds: "stuck" },
    says: "neither paid nor unpaid"
  },
  {
    ...{ habit: "firstStatusIsFinal", kinds: ["approvedLate"], payments: 4, finds: "chargedNotTold" },
    says: "The shop says unpaid"
  },
  {
    ...{ habit: "lastCallbackWins", kinds: ["disorderedCallback"], payments: 4, finds: "refundLost" },
    says: "the shop does not say so"
  },
  {
    ...{ habit: "writesRefundedFirst", kinds: ["declined"], payments: 4, finds: "refundLost" },
    says: "the bank has no refund"
  },
  {
    ...{ habit: "refundsAgainWithNewName", kinds: ["errorAfter"], payments: 20, finds: "refundedTwice" },
    ...{ says: "The bank has 2 refunds: 5.00 USD, 5.00 USD", template: ofPart }
  },
  {
    ...{ habit: "refundsAllAgain", kinds: ["errorAfter"], payments: 20, finds: "refundLost" },
    says: "the shop does not say so"
  },
  {
    ...{ habit: "tellsClerkFailed", kinds: ["lostAnswer"], payments: 20, finds: "refundLost" },
    ...{ says: "The clerk saw that the refund failed", template: withFailure }
  },
  {
    ...{ habit: "repeatsByItself", kinds: ["lostAnswer"], payments: 20, finds: "chargedTwice" },
    ...{ says: "The bank has 2 payments", template: withoutReplays }
  },
  {
    ...{ habit: "refundsWholeForPart", kinds: ["lostAnswer"], payments: 4, finds: "wrongAmount" },
    ...{ says: "The refund is 5.00 USD", template: ofPart }
  }
]

const ofNoList: ReadonlyArray<Careless> = [
  {
    ...{ habit: "capturesOnce", kinds: ["lostRequest"], payments: 30, finds: "shippedUnpaid" },
    says: "the bank still holds"
  },
  {
    ...{ habit: "forgetsSecondHalf", kinds: ["lostAnswer"], payments: 16, finds: "refundLost" },
    says: "The shop says refunded, and the bank has refunded"
  },
  {
    ...{ habit: "givesUpAfterASecond", kinds: ["approvedLate"], payments: 4, finds: "chargedNotTold" },
    ...{ says: "The shop says unpaid", template: { patience: "5 seconds" } }
  },
  {
    ...{ habit: "cancelsWithoutLooking", kinds: ["lostAnswer"], payments: 16, finds: "chargedNotTold" },
    says: "The shop says unpaid"
  },
  {
    ...{ habit: "ordersAtEachPress", kinds: ["buysTwice"], payments: 4, finds: "chargedTwice" },
    says: "The bank has 2 payments"
  }
]

/** The habit, the shop's patience in seconds, and payments that meet failures of all kinds. */
const careful: ReadonlyArray<readonly [habit: string, seconds: number, template?: Changes]> = [
  ["plain", 4],
  ["answersWhenKnown", 4],
  ["capturesLater", 6],
  ["pollsEvery3Seconds", 7],
  ["ownQueue", 6, { patience: "6 seconds" }],
  ["givesDuplicatesBack", 6],
  ["refundsInHalves", 4],
  ["refundsPart", 4, ofPart]
]

const finds = ({ finds: kind, habit, kinds, payments, says, template }: Careless) =>
  Effect.gen(function* () {
    const { findings } = yield* run(habit, payments, kinds, template)
    const isMeant = (finding: Finding) => finding.kind === kind && finding.difference.includes(says)
    assert.isTrue(findings.some(isMeant), JSON.stringify(findings.map(({ difference }) => difference)))
  })

/** Most of their time the shops wait. */
const beside = { concurrent: true } as const

describe("a shop with the mistake of a public report", beside, () => {
  for (const row of ofReports) it.live(`is found out: ${row.habit}`, () => finds(row))
})

describe("a shop with a mistake that no list has", beside, () => {
  for (const row of ofNoList) it.live(`is found out: ${row.habit}`, () => finds(row))
})

describe("a careful shop with another habit", beside, () => {
  for (const [habit, seconds, template] of careful) {
    it.live(`has no finding: ${habit}`, () =>
      Effect.gen(function* () {
        const result = yield* run(habit, 40, undefined, { ...template, patience: `${seconds} seconds` })
        assert.deepStrictEqual(summary(result), [])
      })
    )
  }

  it.live("has no finding where its client repeats a request by itself, and the repetition is in the timeline", () =>
    Effect.gen(function* () {
      const result = yield* run("repeatsByItself", 10, ["lostAnswer"])
      assert.deepStrictEqual(summary(result), [])
      const { findings } = yield* run("repeatsByItself", 20, ["lostAnswer"], withoutReplays)
      const [twice] = findings.filter(({ kind }) => kind === "chargedTwice")
      assert.lengthOf(twice?.requests.filter((name) => name === "sale") ?? [], 2)
    })
  )
})
