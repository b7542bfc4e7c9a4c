import { assert, describe, it } from "@effect/vitest"
import type { Operation } from "@pay/schema/Operation"
import * as PayApi from "@pay/schema/PayApi"
import { OutcomeUnknown } from "@pay/transport/PayError"
import { Effect } from "effect"
import * as Resolve from "../src/requests/Resolve.ts"
import * as Script from "./Script.ts"

const { CAPTURE, PAYOUT_V4_PAY, REBILL, STATUS } = PayApi.operations
const { refusal, orderStatus, acknowledged, unknownOrder } = Script

const fields = {
  REBILL: Script.chargeRequest,
  CAPTURE: { client_orderid: "o-1", orderid: "7", amount: "1.00", currency: "USD" },
  STATUS: { client_orderid: "o-1", orderid: "7" }
}

const lost = (
  operation: Operation,
  request: Resolve.Lost["request"],
  idempotencyKey?: string,
  before?: Resolve.Lost["before"],
  isKeyHonoured = idempotencyKey !== undefined && before === undefined
) =>
  Resolve.resolve({
    ...(before === undefined ? {} : { before }),
    operation,
    request,
    error: new OutcomeUnknown({
      operation: operation.name,
      clientOrderId: "o-1",
      reason: "ConnectionLost",
      code: "ECONNRESET",
      retryable: false,
      ...(idempotencyKey === undefined ? {} : { idempotencyKey }),
      isKeyHonoured
    })
  })

const authorized = {
  clientOrderId: "o-1",
  orderId: "7",
  status: "approved",
  transactionType: "preauth",
  currency: "USD",
  capturedAmount: "0.00"
}
const paid = orderStatus("approved")
const unmoved = orderStatus("approved", { "transaction-type": "preauth", "captured-amount": "0.00" })

const rows: ReadonlyArray<
  readonly [scenario: string, resolving: ReturnType<typeof lost>, script: Script.Script, end: string, requests: string]
> = [
  ["a charge is found", lost(REBILL, fields.REBILL), { status: [paid] }, "approved", "status status"],
  [
    "a charge is absent, and is sent again",
    lost(REBILL, fields.REBILL),
    { status: [unknownOrder, unknownOrder, paid], "make-rebill": [acknowledged] },
    "approved",
    "status status make-rebill status"
  ],
  [
    "a charge is found declined",
    lost(REBILL, fields.REBILL),
    { status: [orderStatus("declined", { "error-code": "116" })] },
    "Declined",
    "status status"
  ],
  [
    "a charge is found with another amount at its end",
    lost(REBILL, fields.REBILL),
    { status: [orderStatus("processing"), orderStatus("approved", { amount: "10.42" })] },
    "NeedsAPerson",
    "status status"
  ],
  [
    "a capture is sent again under its key",
    lost(CAPTURE, fields.CAPTURE, "mine"),
    { capture: [acknowledged], status: [paid] },
    "approved",
    "status capture status"
  ],
  [
    "a capture is refused twice",
    lost(CAPTURE, fields.CAPTURE, "mine"),
    { capture: [refusal(55)], status: [paid] },
    "NotAccepted",
    "status capture status capture"
  ],
  [
    "a capture without keys has no amounts from before",
    lost(CAPTURE, fields.CAPTURE),
    { status: [paid] },
    "NeedsAPerson",
    "status"
  ],
  [
    "a capture without keys has its amount captured",
    lost(CAPTURE, fields.CAPTURE, "mine", authorized),
    { status: [orderStatus("approved", { "transaction-type": "capture", "captured-amount": "1.00" })] },
    "approved",
    "status status"
  ],
  [
    "a capture without keys has no changed amount, and is sent again",
    lost(CAPTURE, fields.CAPTURE, "mine", authorized),
    {
      capture: [acknowledged],
      status: [unmoved, unmoved, paid]
    },
    "approved",
    "status status capture status"
  ],
  [
    "a checked payout without keys is not paid again",
    lost(PAYOUT_V4_PAY, fields.STATUS),
    { status: [paid] },
    "NeedsAPerson",
    "status"
  ],
  ["a status call needs no resolution", lost(STATUS, fields.STATUS), { status: [paid] }, "approved", "status"]
]

describe("Resolve.resolve of a lost call", () => {
  for (const [scenario, resolving, script, end, request] of rows) {
    it.effect(`${scenario}: ${end}`, () =>
      Effect.gen(function* () {
        const outcome = yield* Script.run(script, resolving)
        assert.strictEqual(outcome.end, end)
        assert.strictEqual(outcome.requests.join(" "), request)
        assert.deepStrictEqual(
          [...new Set(outcome.keys)].filter((key) => key !== "" && key !== "mine"),
          []
        )
      })
    )
  }

  it.effect("looks up the order by the gateway's order number", () =>
    Effect.gen(function* () {
      const { forms } = yield* Script.run({ status: [paid] }, lost(STATUS, fields.STATUS))
      assert.strictEqual(new URLSearchParams(forms[0]?.[1]).get("orderid"), "7")
    })
  )
})
