import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import * as PayClient from "../src/PayClient.ts"
import type * as PayError from "../src/PayError.ts"
import { accepted, answer, capture, playing, refusal, renumbered, sale } from "./Merchant.ts"

const copy = (body: object) => answer(200, body)
const stands = { ...accepted, type: "status-response", status: "approved" }
const another = renumbered(JSON.stringify(accepted))
const ours = refusal["serial-number"]
const refused = answer(400, refusal)

const acknowledged = Effect.flatMap(PayClient.PayClient, (pay) => pay.capture(capture))
const question = Effect.flatMap(PayClient.PayClient, (pay) => pay.status(capture))
const askedByNumber = Effect.flatMap(PayClient.PayClient, (pay) => pay.status({ orderid: capture.orderid }))
const askedAbout = Effect.flatMap(PayClient.PayClient, (pay) => pay.status({ ...capture, "by-request-sn": ours }))
const sold = Effect.flatMap(PayClient.PayClient, (pay) => pay.sale(sale))

/** What comes to one request and, left over, to the next; what the second is taken for. */
const rows = [
  ["another capture of the order", acknowledged, [copy(accepted), copy(accepted)], "Misplaced"],
  ["a capture, and the copy was how the order stood", question, [copy(stands), copy(stands)], "Misplaced"],
  ["a capture, and the copy was a refusal", Effect.exit(acknowledged), [refused, refused], "Misplaced"],
  ["a capture that has an answer of its own", acknowledged, [copy(accepted), answer(200, another)], "Success"]
] as const

/** Answers that say themselves whose they are. */
const others = [
  ["a sale of another name", sold, { ...accepted, "merchant-order-id": "another" }, "Misplaced"],
  ["how another order stands", question, { ...stands, "merchant-order-id": "another" }, "Misplaced"],
  ["how an order of another number stands", question, { ...stands, "paynet-order-id": 17 }, "Misplaced"],
  ["how the order of the number stands", askedByNumber, { ...stands, "merchant-order-id": "any" }, "Success"],
  [
    "how an order of another number than was asked stands",
    askedByNumber,
    { ...stands, "paynet-order-id": 17 },
    "Misplaced"
  ],
  ["how another request stands", askedAbout, { ...stands, "by-request-sn": accepted["serial-number"] }, "Misplaced"],
  ["how this request stands", askedAbout, { ...stands, "by-request-sn": ours }, "Success"],
  ["how the order stands, from a gateway that repeats no names", askedAbout, stands, "Success"]
] as const

const verdict = <A, R>(call: Effect.Effect<A, PayError.PayError, R>) =>
  Effect.match(call, {
    onSuccess: () => "Success",
    onFailure: (error) => (error._tag === "OutcomeUnknown" ? error.reason : error._tag)
  })

describe("an answer to another request", () => {
  for (const [story, first, answers, expected] of rows) {
    it.effect(`comes a second time to ${story}: ${expected}`, () =>
      Effect.gen(function* () {
        yield* first
        assert.strictEqual(yield* verdict(acknowledged), expected)
      }).pipe(Effect.provide(playing(...answers).layer))
    )
  }
  for (const [story, call, body, expected] of others) {
    it.effect(`${story}: ${expected}`, () =>
      Effect.gen(function* () {
        assert.strictEqual(yield* verdict<unknown, PayClient.PayClient>(call), expected)
      }).pipe(Effect.provide(playing(copy(body)).layer))
    )
  }

  it.effect("a question may be answered twice in the same words", () =>
    Effect.gen(function* () {
      yield* question
      assert.strictEqual(yield* verdict(question), "Success")
    }).pipe(Effect.provide(playing(copy(stands)).layer))
  )
})
