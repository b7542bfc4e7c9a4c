/** Tests requests that are sent once and judged by the order's status, at a gateway without idempotency keys. */
import { assert, describe, it } from "@effect/vitest"
import * as PayApi from "@pay/schema/PayApi"
import { Effect } from "effect"
import * as ByStatus from "../src/ByStatus.ts"
import type { OrderStatus } from "../src/OrderStatus.ts"
import * as Script from "./Script.ts"

const { refusal, orderStatus, acknowledged, unknownOrder } = Script

const carryOut = (status: string | undefined, isOpen: boolean, orderid = "7") => {
  const order: OrderStatus | undefined =
    status === undefined ? undefined : { clientOrderId: "o-1", orderId: "7", status }
  return ByStatus.carryOut(
    {
      operation: PayApi.operations.VOID,
      request: { client_orderid: "o-1", orderid },
      clientOrderId: "o-1",
      orderId: "7",
      endpointId: undefined,
      step: "pay",
      trail: []
    },
    {
      isKeyed: false,
      answersByRequest: false,
      showsFollowUps: false,
      isOpen,
      ...(order === undefined ? {} : { order })
    }
  )
}

const processing = orderStatus("processing")
const paid = orderStatus("approved")

const rows: ReadonlyArray<
  readonly [scenario: string, flow: ReturnType<typeof carryOut>, script: Script.Script, end: string, requests: string]
> = [
  [
    "succeeds when the order is approved",
    carryOut("processing", false),
    { void: [acknowledged], status: [processing, paid] },
    "approved",
    "void status status"
  ],
  [
    "succeeds although its answer was lost",
    carryOut("processing", false),
    { void: ["lost"], status: [paid] },
    "approved",
    "void status"
  ],
  [
    "fails when the order is declined",
    carryOut("processing", false),
    { void: [acknowledged], status: [orderStatus("declined")] },
    "Declined",
    "void status"
  ],
  [
    "fails as Unreachable if it cannot be sent",
    carryOut("processing", false),
    { void: ["notSent"] },
    "Unreachable",
    "void void void"
  ],
  ["is refused before it is sent if it is invalid", carryOut("processing", false, "x y"), {}, "Refused", ""],
  ["is not sent if the order is already declined", carryOut("declined", false), {}, "Declined", ""],
  ["needs a person if the order was approved before", carryOut("approved", false), {}, "NeedsAPerson", ""],
  [
    "needs a person if the status before it is unknown",
    carryOut(undefined, false),
    { status: [paid] },
    "NeedsAPerson",
    "status"
  ],
  [
    "needs a person if it may have been sent before",
    carryOut("processing", true),
    { status: [processing, paid] },
    "NeedsAPerson",
    "status status"
  ],
  [
    "needs a person if it may have been sent before, and the order is final",
    carryOut("approved", true),
    {},
    "NeedsAPerson",
    ""
  ],
  [
    "is refused if the order stays as it was",
    carryOut("processing", false),
    { void: [refusal(1)], status: [processing] },
    "Refused",
    "void status"
  ],
  [
    "is refused if the order is unknown",
    carryOut("processing", false),
    { void: [refusal(1)], status: [unknownOrder] },
    "Refused",
    "void status"
  ],
  [
    "succeeds although a repeat of it was refused",
    carryOut("processing", false),
    { void: [refusal(1)], status: [paid] },
    "approved",
    "void status"
  ],
  [
    "needs a person if no status call is answered after a refusal",
    carryOut("processing", false),
    { void: [refusal(1)], status: ["lost"] },
    "NeedsAPerson",
    "void"
  ],
  [
    "needs a person if the gateway is unreachable after a refusal",
    carryOut("processing", false),
    { void: [refusal(1)], status: ["notSent"] },
    "NeedsAPerson",
    "void"
  ]
]

describe("a request that is judged by the order's status", () => {
  for (const [scenario, flow, script, end, request] of rows)
    it.effect(scenario, () =>
      Effect.gen(function* () {
        const outcome = yield* Script.run(script, flow, {}, Script.keyless)
        assert.strictEqual(outcome.end, end)
        const all = outcome.requests.join(" ")
        if (script.status?.some((say) => typeof say === "string") === true) assert.match(all, /^void( status)+$/)
        else assert.strictEqual(all, request)
      })
    )
})
