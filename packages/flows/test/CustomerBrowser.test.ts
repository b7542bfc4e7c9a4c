import { assert, it } from "@effect/vitest"
import { PayClient } from "@pay/transport/PayClient"
import { Effect, Option } from "effect"
import * as CustomerBrowser from "../src/browser/CustomerBrowser.ts"
import * as Steps from "../src/engine/Steps.ts"
import * as Engine from "./Engine.ts"

it.effect("a browser that comes back wakes only the flow of its own merchant", () => {
  const steps = Steps.makeMemory()
  const hears = (merchant: string) =>
    Effect.map(
      steps.awaitSignal("back", { key: CustomerBrowser.returnKey(merchant, "INV-1", "Challenge"), timeout: 0 }),
      Option.isSome
    )
  return Effect.gen(function* () {
    const client = yield* PayClient
    const back = CustomerBrowser.cameBack("INV-1", { cres: "result" })
    yield* Effect.provideService(back, PayClient, { ...client, merchant: "other@127.0.0.1:9" })
    assert.deepStrictEqual([yield* hears(Engine.merchant), yield* hears("other@127.0.0.1:9")], [false, true])
    yield* back
    assert.deepStrictEqual([yield* hears(Engine.merchant), yield* hears("other@127.0.0.1:9")], [true, false])
  }).pipe(Effect.provide(Engine.layer(steps)))
})
