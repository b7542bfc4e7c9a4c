import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import * as PayClient from "../src/PayClient.ts"
import type * as PayError from "../src/PayError.ts"
import { accepted, answer, capture, playing, refusal, renumbered, sale } from "./Merchant.ts"

const copy = (body: object) => answer(200, body)
const approved = { ...accepted, type: "status-response", status: "approved" }
const another = renumbered(JSON.stringify(accepted))
const ours = refusal["serial-number"]
const refused = answer(400, refusal)

const acknowledged = Effect.flatMap(PayClient.PayClient, (pay) => pay.capture(capture))
const question = Effect.flatMap(PayClient.PayClient, (pay) => pay.status(capture))
const statusByNumber = Effect.flatMap(PayClient.PayClient, (pay) => pay.status({ orderid: capture.orderid }))
const statusOfRequest = Effect.flatMap(PayClient.PayClient, (pay) => pay.status({ ...capture, "by-request-sn": ours }))
const sold = Effect.flatMap(PayClient.PayClient, (pay) => pay.sale(sale))

/** The first call, the answers to it and to the capture that follows, and how the client reads the second answer. */
const rows = [
  [
    "a capture receives a copy of the previous capture's answer",
    acknowledged,
    [copy(accepted), copy(accepted)],
    "Misplaced"
  ],
  ["a capture receives a copy of the previous status answer", question, [copy(approved), copy(approved)], "Misplaced"],
  ["a capture receives a copy of the previous refusal", Effect.exit(acknowledged), [refused, refused], "Misplaced"],
  ["a capture receives an answer of its own", acknowledged, [copy(accepted), answer(200, another)], "Success"]
] as const

/** Answers that name their order or request. */
const others = [
  [
    "a sale receives the answer to another merchant order number",
    sold,
    { ...accepted, "merchant-order-id": "another" },
    "Misplaced"
  ],
  [
    "a status call receives another merchant order number",
    question,
    { ...approved, "merchant-order-id": "another" },
    "Misplaced"
  ],
  ["a status call receives another order number", question, { ...approved, "paynet-order-id": 17 }, "Misplaced"],
  [
    "a status call by order number receives any merchant order number",
    statusByNumber,
    { ...approved, "merchant-order-id": "any" },
    "Success"
  ],
  [
    "a status call by order number receives another order number",
    statusByNumber,
    { ...approved, "paynet-order-id": 17 },
    "Misplaced"
  ],
  [
    "a status call about a request receives another request number",
    statusOfRequest,
    { ...approved, "by-request-sn": accepted["serial-number"] },
    "Misplaced"
  ],
  [
    "a status call about a request receives its request number",
    statusOfRequest,
    { ...approved, "by-request-sn": ours },
    "Success"
  ],
  ["a status call about a request receives no request number", statusOfRequest, approved, "Success"]
] as const

const verdict = <A, R>(call: Effect.Effect<A, PayError.PayError, R>) =>
  Effect.match(call, {
    onSuccess: () => "Success",
    onFailure: (error) => (error._tag === "OutcomeUnknown" ? error.reason : error._tag)
  })

describe("an answer is matched to its request", () => {
  for (const [scenario, first, answers, expected] of rows) {
    it.effect(`${scenario}: ${expected}`, () =>
      Effect.gen(function* () {
        yield* first
        assert.strictEqual(yield* verdict(acknowledged), expected)
      }).pipe(Effect.provide(playing(...answers).layer))
    )
  }
  for (const [scenario, call, body, expected] of others) {
    it.effect(`${scenario}: ${expected}`, () =>
      Effect.gen(function* () {
        assert.strictEqual(yield* verdict<unknown, PayClient.PayClient>(call), expected)
      }).pipe(Effect.provide(playing(copy(body)).layer))
    )
  }

  it.effect("two status calls receive the same answer: Success", () =>
    Effect.gen(function* () {
      yield* question
      assert.strictEqual(yield* verdict(question), "Success")
    }).pipe(Effect.provide(playing(copy(approved)).layer))
  )
})
