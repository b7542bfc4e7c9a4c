/** What is sent once, and judged by how its order stands, where the gateway honours no keys. */
import { assert, describe, it } from "@effect/vitest"
import * as PayApi from "@pay/schema/PayApi"
import { Effect } from "effect"
import * as ByStatus from "../src/ByStatus.ts"
import type { OrderStatus } from "../src/OrderStatus.ts"
import * as Script from "./Script.ts"

const { refuses, stands, taken, unheardOf } = Script

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

const processing = stands("processing")
const paid = stands("approved")

const rows: ReadonlyArray<
  readonly [story: string, flow: ReturnType<typeof carryOut>, script: Script.Script, end: string, requests: string]
> = [
  [
    "is done",
    carryOut("processing", false),
    { void: [taken], status: [processing, paid] },
    "approved",
    "void status status"
  ],
  [
    "is done although its answer was lost",
    carryOut("processing", false),
    { void: ["lost"], status: [paid] },
    "approved",
    "void status"
  ],
  [
    "is declined",
    carryOut("processing", false),
    { void: [taken], status: [stands("declined")] },
    "Declined",
    "void status"
  ],
  ["is not sent", carryOut("processing", false), { void: ["notSent"] }, "Unreachable", "void void void"],
  ["is wrong before it is sent", carryOut("processing", false, "x y"), {}, "Refused", ""],
  ["is not sent for an order that is over", carryOut("declined", false), {}, "Declined", ""],
  ["is for a person where the order was approved before", carryOut("approved", false), {}, "NeedsAPerson", ""],
  [
    "is for a person where nobody knows how the order stood",
    carryOut(undefined, false),
    { status: [paid] },
    "NeedsAPerson",
    "status"
  ],
  [
    "is for a person where it may have been sent before",
    carryOut("processing", true),
    { status: [processing, paid] },
    "NeedsAPerson",
    "status status"
  ],
  [
    "is for a person where it may have been sent before, and the order is over",
    carryOut("approved", true),
    {},
    "NeedsAPerson",
    ""
  ],
  ["is refused", carryOut("processing", false), { void: [refuses(1)], status: [processing] }, "Refused", "void status"],
  [
    "is refused of an order that is not known",
    carryOut("processing", false),
    { void: [refuses(1)], status: [unheardOf] },
    "Refused",
    "void status"
  ],
  [
    "is done although a second one was refused",
    carryOut("processing", false),
    { void: [refuses(1)], status: [paid] },
    "approved",
    "void status"
  ],
  [
    "is for a person where nobody answers after a refusal",
    carryOut("processing", false),
    { void: [refuses(1)], status: ["lost"] },
    "NeedsAPerson",
    "void"
  ],
  [
    "is for a person where nobody can be asked after a refusal",
    carryOut("processing", false),
    { void: [refuses(1)], status: ["notSent"] },
    "NeedsAPerson",
    "void"
  ]
]

describe("what is sent once", () => {
  for (const [story, flow, script, end, request] of rows)
    it.effect(story, () =>
      Effect.gen(function* () {
        const played = yield* Script.play(script, flow, {}, Script.keyless)
        assert.strictEqual(played.end, end)
        const all = played.requests.join(" ")
        if (script.status?.some((say) => typeof say === "string") === true) assert.match(all, /^void( status)+$/)
        else assert.strictEqual(all, request)
      })
    )
})
