/** Tests that a flow relies on properties beyond the specification only while the gateway announces them. */
import { assert, describe, it } from "@effect/vitest"
import * as GatewayProfile from "@pay/schema/GatewayProfile"
import { Effect } from "effect"
import { Capture, Refund, Void } from "../src/payments/OrderAction.ts"
import { Rebill } from "../src/payments/StoredCard.ts"
import * as Earlier from "./Earlier.ts"
import * as Script from "./Script.ts"

const { orderStatus, acknowledged, unknownOrder } = Script

const announced = (say: Script.Answer): Script.Answer =>
  typeof say === "string" ? say : { ...say, announces: GatewayProfile.format(GatewayProfile.ours) }

const preauth = orderStatus("approved", { "transaction-type": "preauth", "captured-amount": "0.00" })
const captured = orderStatus("approved", { "transaction-type": "capture", "captured-amount": "4.00" })
const capture = Capture.execute({
  ...{ clientOrderId: "o-1", orderId: "7", name: "part-1" },
  ...{ amount: "4.00", currency: "USD" }
})
const charge = Rebill.execute(Script.charge)
const paid = orderStatus("approved")

type Row = readonly [
  scenario: string,
  says: ReadonlyArray<Script.Answer>,
  status: ReadonlyArray<Script.Answer>,
  end: string
]

const captures: ReadonlyArray<readonly [...Row, requests: string]> = [
  [
    "is repeated if keys are announced before it and before the repeat",
    ["lost", announced(acknowledged)],
    [announced(preauth), announced(preauth), announced(captured)],
    "approved",
    "status capture status capture status"
  ],
  ["is not repeated without keys", ["lost"], [preauth, preauth], "NeedsAPerson", "status capture status"],
  ["is found by the amounts without keys", ["lost"], [preauth, captured], "approved", "status capture status"],
  [
    "is not repeated if keys are no longer announced",
    ["lost"],
    [announced(preauth), preauth],
    "NeedsAPerson",
    "status capture status"
  ],
  [
    "is not repeated if keys are announced only afterwards",
    ["lost"],
    [preauth, announced(preauth)],
    "NeedsAPerson",
    "status capture status"
  ],
  [
    "waits for a status answer, which announces keys",
    [announced(acknowledged)],
    ["lost", "lost", announced(captured)],
    "approved",
    "status status status capture status"
  ],
  [
    "needs a person if it is accepted but no amount is shown",
    [acknowledged],
    [orderStatus("approved")],
    "NeedsAPerson",
    "status capture status status"
  ],
  [
    "is not reported as refused before a status call is answered",
    [Script.refusal(1)],
    [preauth, "lost", captured],
    "approved",
    "status capture status status"
  ],
  [
    "needs a person if no status call is answered after a refusal",
    [Script.refusal(1)],
    [preauth, "lost"],
    "NeedsAPerson",
    `status capture${" status".repeat(30)}`
  ]
]

const context = orderStatus("approved", { "transaction-type": "preauth" })
const back = (amount: string) =>
  orderStatus("approved", { "transaction-type": "reversal", "total-reversal-amount": amount, currency: "USD" })
const order = { clientOrderId: "o-1", orderId: "7" }
const returned = Refund.execute({ ...order, name: "return-1", amount: "2.00", currency: "USD", comment: "x" })
const voiding = Void.execute({ ...order, comment: "x" })

/** The status of the order before the request and after it was accepted. */
const accepted: ReadonlyArray<
  readonly [scenario: string, flow: typeof returned, before: Script.Answer, after: Script.Answer, end: string]
> = [
  [
    "a capture that only the transaction type shows",
    capture,
    context,
    orderStatus("approved", { "transaction-type": "capture" }),
    "approved"
  ],
  [
    "a capture of a hold that was voided",
    capture,
    context,
    orderStatus("approved", { "transaction-type": "cancel" }),
    "NeedsAPerson"
  ],
  [
    "a capture, and another amount was captured",
    capture,
    preauth,
    orderStatus("approved", { "transaction-type": "capture", "captured-amount": "3.00" }),
    "NeedsAPerson"
  ],
  [
    "a void of a hold that was captured",
    voiding,
    context,
    orderStatus("approved", { "transaction-type": "capture" }),
    "NeedsAPerson"
  ],
  ["a void", voiding, context, orderStatus("approved", { "transaction-type": "cancel" }), "approved"],
  ["a refund", returned, back("1.00"), back("3.00"), "approved"],
  ["a refund, and another amount was refunded", returned, back("1.00"), back("2.50"), "NeedsAPerson"]
]

describe("a request that a gateway without keys accepted, among other changes of the order", () => {
  for (const [scenario, flow, before, after, end] of accepted) {
    it.effect(`${scenario}: ${end}`, () =>
      Effect.gen(function* () {
        const script = {
          capture: [acknowledged],
          return: [acknowledged],
          void: [acknowledged],
          status: [before, after]
        }
        assert.strictEqual((yield* Script.run(script, flow, {}, {})).end, end)
      })
    )
  }
})

describe("a capture and announced idempotency keys", () => {
  for (const [scenario, says, status, end, request] of captures) {
    it.effect(`${scenario}: ${end}`, () =>
      Effect.gen(function* () {
        const outcome = yield* Script.run({ capture: says, status }, capture, {}, {})
        assert.strictEqual(outcome.end, end)
        assert.strictEqual(outcome.requests.join(" "), request)
        // The key is sent whether or not the gateway honours it.
        const sent = outcome.keys.filter((_, index) => outcome.requests[index] === "capture")
        assert.deepStrictEqual([...new Set(sent)], ["o-1%2Fpart-1:capture"])
      })
    )
  }
})

const crashes: ReadonlyArray<
  readonly [scenario: string, at: string, status: ReadonlyArray<Script.Answer>, end: string, requests: string]
> = [
  [
    "is repeated if the gateway still announces keys",
    "capture",
    [announced(preauth), announced(preauth), announced(captured)],
    "approved",
    "status capture status capture status"
  ],
  [
    "is not repeated if the gateway no longer announces keys",
    "capture",
    [announced(preauth), preauth],
    "NeedsAPerson",
    "status capture status"
  ],
  [
    "is not repeated if the gateway announces keys only now",
    "capture 1",
    [preauth, announced(preauth)],
    "NeedsAPerson",
    "status capture status"
  ]
]

describe("a capture that a crashed process had sent", () => {
  for (const [scenario, at, status, end, request] of crashes) {
    it.effect(`${scenario}: ${end}`, () =>
      Effect.gen(function* () {
        const outcome = yield* Script.run(
          { capture: [acknowledged], status },
          Earlier.inTwoProcesses(at, capture),
          {},
          {}
        )
        assert.strictEqual(outcome.end, end)
        assert.strictEqual(outcome.requests.join(" "), request)
      })
    )
  }
})

const charges: ReadonlyArray<readonly [...Row, requests: string]> = [
  [
    "is looked up first if the gateway has announced nothing",
    [acknowledged],
    [unknownOrder, paid],
    "approved",
    "status make-rebill status"
  ],
  ["is not sent if its order is found", [], [paid, paid], "approved", "status status"],
  [
    "is refused, and not sent, if the order found has another type",
    [],
    [orderStatus("approved", { "transaction-type": "payout", amount: "1.00" })],
    "NotAccepted",
    "status"
  ],
  [
    "needs a person if it may have been sent, and the order found has another type",
    ["lost"],
    [unknownOrder, orderStatus("approved", { "transaction-type": "payout", amount: "1.00" })],
    "NeedsAPerson",
    "status make-rebill status"
  ],
  [
    "accepts an order of an unknown type",
    [],
    [orderStatus("approved", { "transaction-type": "debit", amount: "1.00" })],
    "approved",
    "status status"
  ],
  [
    "is not reported as refused before a status call is answered",
    [Script.refusal(1)],
    [Script.refusal(1), "lost", paid],
    "approved",
    "status make-rebill status status status"
  ],
  ["is not sent if no status call is answered", [], ["lost"], "Unreachable", "status"],
  [
    "stays unknown if status calls are refused",
    ["lost"],
    [Script.refusal(1)],
    "StillUnknown",
    `status make-rebill${" status".repeat(7)}`
  ],
  [
    "is found after it was refused",
    [Script.refusal(1)],
    [Script.refusal(1), paid],
    "approved",
    "status make-rebill status status"
  ],
  [
    "is sent again if two status calls do not find it",
    ["lost", announced(acknowledged)],
    [announced(unknownOrder), announced(unknownOrder), announced(unknownOrder), announced(paid)],
    "approved",
    "status make-rebill status status make-rebill status"
  ]
]

describe("a charge and announced properties", () => {
  for (const [scenario, says, status, end, request] of charges) {
    it.effect(`${scenario}: ${end}`, () =>
      Effect.gen(function* () {
        const outcome = yield* Script.run({ "make-rebill": says, status }, charge, {}, {})
        assert.strictEqual(outcome.end, end)
        assert.strictEqual(outcome.requests.join(" "), request)
      })
    )
  }

  it.effect("is sent once if it runs twice at the same time in one process", () =>
    Effect.gen(function* () {
      const both = Effect.map(Effect.all([charge, charge], { concurrency: 2 }), ([one]) => one)
      const script: Script.Script = { "make-rebill": [acknowledged], status: ["notSent", unknownOrder, paid] }
      const outcome = yield* Script.run(script, both, {}, {})
      assert.strictEqual(outcome.requests.join(" "), "status status make-rebill status")
    })
  )
})
