/** What a dispute that a bank reports changes: evidence, books, the order, the merchant's callbacks and an operator's task. */
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { CallbackEvent } from "../../src/callbacks/decide/CallbackEvent.ts"
import * as Change from "../../src/kernel/Change.ts"
import * as Decision from "../../src/kernel/Decision.ts"
import { Evidence } from "../../src/kernel/Evidence.ts"
import { LedgerEntry } from "../../src/kernel/LedgerTable.ts"
import { Store } from "../../src/kernel/Store.ts"
import * as Terminal from "../../src/merchants/Terminal.ts"
import type { DisputeFact } from "../../src/orders/bank/Notifications.ts"
import * as TransactionType from "../../src/orders/decide/TransactionType.ts"
import * as ReceiveDispute from "../../src/orders/outcomes/ReceiveDispute.ts"
import { BankTask } from "../../src/orders/record/BankTask.ts"
import { type Stage, stages } from "../../src/orders/record/Dispute.ts"
import { Order } from "../../src/orders/record/Order.ts"
import * as Reconciliation from "../../src/reconciliation/Reconciliation.ts"
import { preauth, sale } from "../domain/Sample.ts"
import { bookedSale } from "../ReconciliationSeeds.ts"
import * as ScriptedServices from "./ScriptedServices.ts"

const notifyUrl = "https://shop.example/notify"
const addresses = { notifyUrl, callbackUrl: "https://shop.example/outcome" }

/** Each stage of the dispute D is a notification of its own. */
const fact = (stage: Stage, changes: Partial<DisputeFact> = {}): DisputeFact => ({
  _tag: "Dispute",
  ...{ reference: "1-sale-0", eventId: `${stages.indexOf(stage)}`, disputeId: "D", stage },
  ...{ amountMinor: 10_000, currency: "USD" },
  message: "Fraud",
  ...changes
})
const [inquiry, opened, won, lost] = [fact("inquiry"), fact("opened"), fact("won"), fact("lost")]

interface Setup extends ScriptedServices.Script {
  readonly order?: Order
}

/** Receives the facts one after another, and returns what is stored then. */
const receive = (facts: ReadonlyArray<DisputeFact>, { order = sale(addresses), ...script }: Setup = {}) => {
  const recording = ScriptedServices.newRecording()
  return Effect.gen(function* () {
    const store = yield* Store
    yield* ScriptedServices.seed([Decision.append(Order, order)], recording)
    const use = yield* ReceiveDispute.make
    yield* Effect.forEach(facts, (each) => use("acquirer", each), { discard: true })
    const entries = yield* store.find(LedgerEntry, "order", { equals: ["1"], limit: 100 })
    const tasks = yield* store.find(BankTask, "key", { limit: 10 })
    const callbacks = yield* store.find(CallbackEvent, "order", { equals: ["1"], limit: 10 })
    const stored = yield* store.load(Order, ["1"])
    return {
      booked: entries.flatMap(({ account, minor }) => (account.endsWith("/merchant_settlement") ? [minor] : [])),
      type: stored === undefined ? "none" : TransactionType.ofOrder(stored),
      tasks: tasks.map(({ note, orderId, state }) => `${orderId} ${state}: ${note}`),
      callbacks: callbacks.map(({ query, url }) => {
        const sent = new URLSearchParams(query)
        return [url === notifyUrl ? "notify" : url, sent.get("type"), sent.get("status"), sent.get("amount")].join(" ")
      }),
      evidence: (yield* store.find(Evidence, "key", { limit: 10 })).length
    }
  }).pipe(Effect.provide(ScriptedServices.layer(script, recording)))
}

const nothing = { booked: [], type: "sale", tasks: [], callbacks: [], evidence: 1 }
const charged = "notify chargeback approved 100.00"
const again = "notify sale approved 100.00"
const taken = { ...nothing, booked: [-10_000], type: "chargeback", callbacks: [charged] }
const unbooked = (why: string, stage = "opened") =>
  `1 open: The dispute is ${stage}: Fraud; its money is not booked: ${why}`

type Row = readonly [
  what: string,
  facts: ReadonlyArray<DisputeFact>,
  setup: Setup,
  expected: {
    readonly booked: ReadonlyArray<number>
    readonly type: string
    readonly tasks: ReadonlyArray<string>
    readonly callbacks: ReadonlyArray<string>
    readonly evidence: number
  }
]
const is = (stage: string, rest = "") => [`1 open: The dispute is ${stage}: Fraud${rest}`]
const over = ["1 closed: The dispute is won: Fraud"]

const rows: ReadonlyArray<Row> = [
  ["an inquiry moves no money", [inquiry], {}, { ...nothing, tasks: is("inquiry") }],
  ["money is taken back", [opened], {}, { ...taken, tasks: is("opened") }],
  [
    "the reason and the time to respond are in the task",
    [fact("opened", { reasonCode: "10.4", respondByMs: 86_400_000 })],
    {},
    { ...taken, tasks: is("opened", " (10.4); respond at the bank until 1970-01-02T00:00:00.000Z") }
  ],
  [
    "a time that no calendar has is shown as it is",
    [fact("opened", { respondByMs: Number.MAX_SAFE_INTEGER })],
    {},
    { ...taken, tasks: is("opened", "; respond at the bank until 9007199254740991") }
  ],
  ["the same notification twice is one", [opened, opened], {}, { ...taken, tasks: is("opened") }],
  [
    "the same stage in another notification moves nothing",
    [opened, fact("opened", { eventId: "8" })],
    {},
    { ...taken, tasks: is("opened"), evidence: 2 }
  ],
  [
    "a won dispute gives the money back and ends its task",
    [opened, won],
    {},
    { ...nothing, booked: [-10_000, 10_000], callbacks: [charged, again], tasks: over, evidence: 2 }
  ],
  [
    "a won dispute can be lost after all",
    [opened, won, lost],
    {},
    {
      ...taken,
      booked: [-10_000, 10_000, -10_000],
      callbacks: [charged, again, charged],
      tasks: is("lost"),
      evidence: 3
    }
  ],
  ["a lost dispute leaves the money where it is", [opened, lost], {}, { ...taken, tasks: is("lost"), evidence: 2 }],
  [
    "a dispute that is opened after it was won is for a person",
    [won, opened],
    {},
    { ...nothing, tasks: [unbooked("it came after the dispute was won")], evidence: 2 }
  ],
  [
    "a dispute that is won after it was lost is for a person",
    [opened, lost, won],
    {},
    { ...taken, tasks: [unbooked("it came after the dispute was lost", "won")], evidence: 3 }
  ],
  [
    "two disputes of one payment are two tasks",
    [fact("opened", { amountMinor: 4_000 }), fact("opened", { disputeId: "E", eventId: "9", amountMinor: 6_000 })],
    {},
    {
      ...taken,
      booked: [-4_000, -6_000],
      callbacks: ["notify chargeback approved 40.00", "notify chargeback approved 60.00"],
      tasks: [...is("opened"), ...is("opened")],
      evidence: 2
    }
  ],
  [
    "one for more than was captured is not booked",
    [fact("opened", { amountMinor: 10_001 })],
    {},
    { ...nothing, tasks: [unbooked("it is larger than what was captured and not charged back before")] }
  ],
  [
    "one in another currency is not booked",
    [fact("opened", { currency: "EUR" })],
    {},
    { ...nothing, tasks: [unbooked("it is in EUR, and the payment is in USD")] }
  ],
  [
    "one of another terminal is not booked",
    [fact("opened", { mid: "COFFEE" })],
    { order: sale({ ...addresses, terminal: Terminal.column.write({ mid: "TEA" }) }) },
    { ...nothing, tasks: [unbooked("it is of the terminal COFFEE, and the payment is of TEA")] }
  ],
  [
    "one of the order's terminal is booked",
    [fact("opened", { mid: "TEA" })],
    { order: sale({ ...addresses, terminal: Terminal.column.write({ mid: "TEA" }) }) },
    { ...taken, tasks: is("opened") }
  ],
  [
    "one of an unknown reference is a task",
    [fact("opened", { reference: "invoice 7" })],
    {},
    {
      ...nothing,
      tasks: [
        " open: The dispute is opened: Fraud; its money is not booked: no order of this gateway has its reference"
      ]
    }
  ],
  [
    "one of an order that is not here is a task",
    [fact("opened", { reference: "9-sale-0" })],
    {},
    {
      ...nothing,
      tasks: [
        " open: The dispute is opened: Fraud; its money is not booked: no order of this gateway has its reference"
      ]
    }
  ],
  [
    "one before the order is final is booked, and its callback waits",
    [opened],
    { order: sale({ ...addresses, state: "unknown", authorizedMinor: 0, capturedMinor: 0 }) },
    { ...taken, type: "sale", callbacks: [], tasks: is("opened") }
  ],
  [
    "one of a declined payment is not booked",
    [opened],
    { order: sale({ ...addresses, state: "declined", authorizedMinor: 0, capturedMinor: 0 }) },
    { ...nothing, tasks: [unbooked("it is larger than what was captured and not charged back before")] }
  ],
  [
    "one after a return names the amount that went back twice",
    [opened],
    { order: sale({ ...addresses, refundedMinor: 3_000 }) },
    { ...taken, tasks: is("opened", "; 30.00 of the payment are or will be returned as well") }
  ],
  [
    "an order without notify_url gets no callback",
    [opened],
    { order: sale({ callbackUrl: addresses.callbackUrl }) },
    { ...taken, callbacks: [], tasks: is("opened") }
  ],
  [
    "a captured preauth is charged back",
    [opened],
    { order: preauth({ ...addresses, state: "settled", capturedMinor: 10_000 }) },
    { ...taken, tasks: is("opened") }
  ],
  [
    "a commit of another process in between is not lost",
    [opened],
    { meanwhile: [[Decision.put(Order, Change.next(sale(addresses), { refundedMinor: 3_000 }))], []] },
    { ...taken, tasks: is("opened", "; 30.00 of the payment are or will be returned as well") }
  ]
]

const afterwards: ReadonlyArray<readonly [what: string, facts: ReadonlyArray<DisputeFact>]> = [
  ["taken", [opened]],
  ["taken and given back in part", [opened, fact("won", { amountMinor: 4_000 })]],
  ["lost after all", [opened, won, lost]],
  ["refused", [fact("opened", { amountMinor: 10_001 })]]
]

describe("a dispute that a bank reports", () => {
  it.effect.each(afterwards)("leaves the books equal: money is %s", ([, facts]) => {
    const recording = ScriptedServices.newRecording()
    return Effect.gen(function* () {
      yield* ScriptedServices.seed(bookedSale, recording)
      const use = yield* ReceiveDispute.make
      yield* Effect.forEach(facts, (each) => use("acquirer", each), { discard: true })
      assert.deepStrictEqual((yield* Reconciliation.check).findings, [])
    }).pipe(Effect.provide(ScriptedServices.layer({}, recording)))
  })

  it.effect.each(rows)("%s", ([, facts, setup, expected]) =>
    Effect.map(receive(facts, setup), (result) => assert.deepStrictEqual(result, { ...expected }))
  )

  it("has an identifier that fits into an address, whatever the bank's is", () => {
    assert.match(ReceiveDispute.disputeIdOf("acquirer", "D/…".repeat(80)), /^[\w.-]{1,64}$/)
    assert.notStrictEqual(ReceiveDispute.disputeIdOf("a", "b c"), ReceiveDispute.disputeIdOf("a b", "c"))
  })
})
