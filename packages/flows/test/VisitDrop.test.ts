import { join } from "node:path"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Redacted } from "effect"
import { temporaryFolder } from "../../sqlite/test/TemporaryFolder.ts"
import * as VisitStore from "../src/browser/VisitStore.ts"
import * as WebCustomerBrowser from "../src/browser/WebCustomerBrowser.ts"
import * as WebFile from "../src/durable/WebFile.ts"
import { FlowEngine } from "../src/engine/FlowEngine.ts"
import * as Engine from "./Engine.ts"

const clientOrderId = "INV 1"
const visit = {
  clientOrderId,
  orderId: "1",
  nextAction: { _tag: "Challenge", url: "https://acs.example", creq: "c" }
} as const

const inFile = Effect.gen(function* () {
  const { visits } = yield* WebFile.open({ path: join(yield* temporaryFolder, "web.db") })
  return visits
})

describe("the visit of a customer who comes back from the issuer", () => {
  for (const [name, made] of [
    ["in memory", Effect.sync(() => VisitStore.makeMemory())],
    ["in a file", inFile]
  ] as const) {
    it.effect(`is kept ${name} until the flow has the signal, and the flow's next visit is not dropped instead`, () =>
      Effect.gen(function* () {
        const store = yield* made
        const engine = yield* FlowEngine
        const tags: Array<string | undefined> = []
        const report = Effect.map(store.find(clientOrderId), (stored) => void tags.push(stored?.nextAction._tag))
        // A process that is killed here sends the customer to the issuer again, and the issuer sends the customer back again.
        const signal = () => Effect.orDie(Effect.andThen(report, store.put(visit)))
        const options = {
          url: "https://shop.example/pay",
          secret: Redacted.make("s"),
          store,
          ended: () => Effect.undefined
        }
        const { web } = yield* Effect.provideService(WebCustomerBrowser.make(options), FlowEngine, {
          ...engine,
          signal
        })
        yield* store.put(visit)
        yield* web.receive({ method: "POST", url: web.backUrl(clientOrderId), body: "cres=result" })
        yield* report
        assert.deepStrictEqual(tags, ["Challenge", "Challenge"])
      }).pipe(Effect.provide(Engine.layer()))
    )
  }

  it.effect("is dropped once the flow has the signal", () =>
    Effect.gen(function* () {
      const store = yield* inFile
      yield* store.put(visit)
      const first = yield* store.find(clientOrderId)
      yield* store.drop(clientOrderId, first)
      assert.isUndefined(yield* store.find(clientOrderId))
    })
  )
})
