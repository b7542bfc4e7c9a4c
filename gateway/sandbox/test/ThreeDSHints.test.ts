/** Security codes that select the answer of the simulated issuer, unless a card or a scenario selects it. */
import { assert, describe, it } from "@effect/vitest"
import { ThreeDSServer } from "@pay/gateway/ThreeDSServer"
import { Effect } from "effect"
import * as SandboxThreeDS from "../src/SandboxThreeDS.ts"
import { ThreeDSControl } from "../src/ThreeDSControl.ts"
import { authenticate, enrol } from "./Paying.ts"

/** Security code | card | answer of the issuer. */
const table = [
  ["111", "ordinary", "Y"],
  ["111", "challenge", "Y"],
  ["111", "method-challenge", "Y"],
  ["111", "refused", "N"],
  ["321", "ordinary", "Challenge"],
  ["321", "frictionless", "Y"],
  ["123", "ordinary", "Challenge"],
  ["123", "frictionless", "Y"]
] as const

/** The look-up as a gateway makes it outside production. */
const ask = (cvv: string, name: string) =>
  Effect.gen(function* () {
    const { capabilities } = yield* ThreeDSServer
    const hint = capabilities.hints?.get(cvv)
    const enrolment = yield* enrol(name, hint === undefined ? {} : { hint })
    const answer = yield* authenticate(enrolment._tag === "Version2" ? enrolment.serverTransId : "")
    return answer._tag === "Finished" ? answer.verdict.transStatus : answer._tag
  })

describe("a security code on an endpoint with 3-D Secure", () => {
  it.effect.each(table)("%s with the card %s: %s", ([cvv, card, answer]) =>
    Effect.gen(function* () {
      assert.strictEqual(yield* ask(cvv, card), answer)
    }).pipe(Effect.provide(SandboxThreeDS.layer()))
  )

  it.effect("has no effect against a scenario", () =>
    Effect.gen(function* () {
      yield* Effect.flatMap(ThreeDSControl, ({ next }) => next({ decision: "R" }))
      assert.strictEqual(yield* ask("111", "ordinary"), "R")
    }).pipe(Effect.provide(SandboxThreeDS.layer()))
  )
})
