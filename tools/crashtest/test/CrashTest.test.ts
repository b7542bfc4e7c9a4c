import { join } from "node:path"
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import * as CrashTest from "../src/CrashTest.ts"
import type * as Template from "../src/template/Template.ts"

const template: Template.Template = {
  url: "http://127.0.0.1:{port}",
  patience: "100 milliseconds",
  buy: { request: "POST /orders/{order}", body: "amount={amount}" },
  ask: { request: "GET /orders/{order}", paid: { json: "state", is: "paid" } }
}

describe("a crash test", () => {
  it.live("ends before the first fault if a payment without a fault shows a difference", () =>
    Effect.gen(function* () {
      const result = yield* CrashTest.run({
        ...{ template, folder: join(import.meta.dirname, "shops"), command: ["node", "shop.mjs"] },
        ...{ payments: 100, seed: 7, onProgress: () => Effect.void }
      })
      assert.match(result.ended ?? "", /without any fault.* No request of the shop has reached the gateway/)
      assert.deepStrictEqual(
        result.findings.map(({ kind }) => kind),
        ["toldNotCharged", "toldNotCharged", "toldNotCharged"]
      )
    })
  )

  it.live("does not call a shop clean that sells nothing, because its template is wrong", () =>
    Effect.gen(function* () {
      const buy = { ...template.buy, request: "POST /ordres/{order}" }
      const failure = yield* Effect.flip(
        CrashTest.run({
          ...{
            template: { ...template, buy },
            folder: join(import.meta.dirname, "shops"),
            command: ["node", "shop.mjs"]
          },
          ...{ payments: 100, seed: 7, onProgress: () => Effect.void }
        })
      )
      assert.match(
        failure.message,
        /^"buy" without any fault: No request .* Is "buy" of the template right\? The customer saw: the shop answers 404: \{\}\.$/
      )
    })
  )
})
