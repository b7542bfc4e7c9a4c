/** Failures of an adapter that cannot even be read: each counts as a lost answer. */
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import * as AdapterCall from "../src/kernel/AdapterCall.ts"
import { AcquirerError, BankAnswer, failures } from "../src/orders/bank/Acquirer.ts"

const authorize = AdapterCall.make(failures("acquirer", (failed) => new AcquirerError(failed)))("authorize", BankAnswer)

const refuse = () => {
  throw new Error("a getter")
}
const errorWithout = (name: "message" | "stack" | "name"): Error =>
  Object.defineProperty(new Error("x"), name, { get: refuse })
const reason = {
  get message() {
    return refuse()
  },
  _tag: "NotSent"
}
const proxy = new Proxy({}, { getPrototypeOf: refuse })

describe("an adapter's call is lost if it", () => {
  it.effect.each([
    ["fails with an error whose message cannot be read", () => Effect.fail(errorWithout("message"))],
    ["fails with a reason whose message cannot be read", () => Effect.fail({ reason })],
    ["has a defect whose message cannot be read", () => Effect.die(errorWithout("message"))],
    ["has a defect whose stack cannot be read", () => Effect.die(errorWithout("stack"))],
    ["has a defect whose name cannot be read", () => Effect.die(errorWithout("name"))],
    ["fails with a proxy that cannot be read", () => Effect.fail(proxy)],
    [
      "throws a proxy that cannot be read",
      () => {
        throw proxy
      }
    ]
  ] as const)("%s", ([, call]) =>
    Effect.map(Effect.flip(authorize({}, call)), (failure) => assert.strictEqual(failure.reason._tag, "AnswerLost"))
  )
})
