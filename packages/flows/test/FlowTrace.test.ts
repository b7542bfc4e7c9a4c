import { assert, describe, it } from "@effect/vitest"
import { Effect, Tracer } from "effect"
import { Rebill } from "../src/payments/StoredCard.ts"
import * as Script from "./Script.ts"

const { orderStatus, acknowledged } = Script

/** Returns the attributes of the flow's own span. */
const spanOf = Effect.fnUntraced(function* (script: Script.Script) {
  const spans: Array<Tracer.Span> = []
  const tracer = Tracer.make({
    span: (options) => {
      const span = new Tracer.NativeSpan(options)
      spans.push(span)
      return span
    }
  })
  yield* Script.run(script, Effect.provideService(Rebill.execute(Script.charge), Tracer.Tracer, tracer))
  const span = spans.find(({ name }) => name === "Flow.Rebill")
  assert.strictEqual(span?.status._tag, "Ended")
  return Object.fromEntries(span?.attributes ?? [])
})

const flow = { "pay.flow": "Rebill", "pay.flow_id": "o-1" }
const order = { "pay.order_id": "7", "pay.client_order_id": "o-1" }

describe("the span of a flow", () => {
  const rows: ReadonlyArray<readonly [string, Script.Script, object]> = [
    [
      "approved",
      { "make-rebill": [acknowledged], status: [orderStatus("approved")] },
      { ...flow, ...order, "pay.outcome": "approved" }
    ],
    [
      "declined",
      { "make-rebill": [acknowledged], status: [orderStatus("declined")] },
      { ...flow, ...order, "pay.outcome": "Declined", "error.type": "Declined" }
    ],
    [
      "refused",
      { "make-rebill": [Script.refusal(2)] },
      { ...flow, "pay.client_order_id": "o-1", "pay.outcome": "NotAccepted", "error.type": "NotAccepted" }
    ]
  ]
  it.effect.each(rows)("names the order and the outcome: $0", ([, script, attributes]) =>
    Effect.map(spanOf(script), (output) => assert.deepStrictEqual(output, attributes))
  )
})
