import { assert, describe, it } from "@effect/vitest"
import type { Operation } from "@pay/schema/Operation"
import * as PayApi from "@pay/schema/PayApi"
import { OutcomeUnknown } from "@pay/transport/PayError"
import { Effect } from "effect"
import * as Resolve from "../src/Resolve.ts"
import * as Script from "./Script.ts"

const { CAPTURE, REBILL, STATUS } = PayApi.operations
const { refuses, stands, taken, unheardOf } = Script

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

const reserved = {
  clientOrderId: "o-1",
  orderId: "7",
  status: "approved",
  transactionType: "preauth",
  currency: "USD",
  capturedAmount: "0.00"
}
const paid = stands("approved")
const unmoved = stands("approved", { "transaction-type": "preauth", "captured-amount": "0.00" })

const rows: ReadonlyArray<
  readonly [story: string, resolving: ReturnType<typeof lost>, script: Script.Script, end: string, requests: string]
> = [
  ["a charge that was made", lost(REBILL, fields.REBILL), { status: [paid] }, "approved", "status status"],
  [
    "a charge that was never made is made",
    lost(REBILL, fields.REBILL),
    { status: [unheardOf, unheardOf, paid], "make-rebill": [taken] },
    "approved",
    "status status make-rebill status"
  ],
  [
    "a charge that was declined",
    lost(REBILL, fields.REBILL),
    { status: [stands("declined", { "error-code": "116" })] },
    "Declined",
    "status status"
  ],
  [
    "a capture goes again under its key",
    lost(CAPTURE, fields.CAPTURE, "mine"),
    { capture: [taken], status: [paid] },
    "approved",
    "status capture status"
  ],
  [
    "a capture that is refused, and again",
    lost(CAPTURE, fields.CAPTURE, "mine"),
    { capture: [refuses(55)], status: [paid] },
    "Refused",
    "status capture status capture"
  ],
  [
    "a capture at a gateway without keys, and nobody looked before",
    lost(CAPTURE, fields.CAPTURE),
    { status: [paid] },
    "NeedsAPerson",
    "status"
  ],
  [
    "a capture at a gateway without keys, which has happened",
    lost(CAPTURE, fields.CAPTURE, "mine", reserved),
    { status: [stands("approved", { "transaction-type": "capture", "captured-amount": "1.00" })] },
    "approved",
    "status status"
  ],
  [
    "a capture at a gateway without keys, which has not",
    lost(CAPTURE, fields.CAPTURE, "mine", reserved),
    {
      capture: [taken],
      status: [unmoved, unmoved, paid]
    },
    "approved",
    "status status capture status"
  ],
  ["a question has nothing to resolve", lost(STATUS, fields.STATUS), { status: [paid] }, "approved", "status"]
]

describe("what became of a call of one's own", () => {
  for (const [story, resolving, script, end, request] of rows) {
    it.effect(`${story}: ${end}`, () =>
      Effect.gen(function* () {
        const played = yield* Script.play(script, resolving)
        assert.strictEqual(played.end, end)
        assert.strictEqual(played.requests.join(" "), request)
        assert.deepStrictEqual(
          [...new Set(played.keys)].filter((key) => key !== "" && key !== "mine"),
          []
        )
      })
    )
  }

  it.effect("is asked for by the gateway's number of the order", () =>
    Effect.gen(function* () {
      const { forms } = yield* Script.play({ status: [paid] }, lost(STATUS, fields.STATUS))
      assert.strictEqual(new URLSearchParams(forms[0]?.[1]).get("orderid"), "7")
    })
  )
})
